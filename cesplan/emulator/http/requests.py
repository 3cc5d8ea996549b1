"""The requests of custom methods, which are checked against their messages like bodies of resources."""

from cesplan.emulator.errors import invalid_all
from cesplan.emulator.http.calls import Call
from cesplan.emulator.schema.messages import Body, Checker
from cesplan.emulator.schema.required import missing


def asked(call: Call, checker: Checker) -> Body:
    """
    Return the request of a custom method, including the field that the path sets.

    Raise Refused for unknown or missing fields and for wrong types.
    """
    name = call.target.name or call.target.parent
    given = {} if call.body is None else call.body
    body = checker.check(call.rpc.request, given, version=call.target.version)
    *above, bound = call.rpc.bound.split(".")
    holder = body
    for part in above:
        holder = holder.setdefault(part, {})
    holder[bound] = name
    lacking = missing(call.rpc.request, body)
    if lacking:
        raise invalid_all(lacking)
    return body
