"""The objects that all parts of the service share, created once for one store."""

from dataclasses import dataclass
from typing import Self

from cesplan.emulator.errors import invalid_all
from cesplan.emulator.http.calls import Call
from cesplan.emulator.http.encoding import Answers
from cesplan.emulator.resources.aftermath import Aftermath
from cesplan.emulator.resources.operations import Operations
from cesplan.emulator.resources.write_methods import Writing
from cesplan.emulator.resources.writer import Clock, Writer
from cesplan.emulator.rules.lookup import Lookup
from cesplan.emulator.rules.rules import Rules
from cesplan.emulator.schema.messages import Body, Checker
from cesplan.emulator.schema.required import missing
from cesplan.emulator.storage.store import Store
from cesplan.emulator.switches import Switches


@dataclass(frozen=True, slots=True, kw_only=True)
class Core:
    """The store and the rules around it."""

    store: Store
    switches: Switches
    clock: Clock
    checker: Checker
    answers: Answers
    lookup: Lookup
    rules: Rules
    writer: Writer
    aftermath: Aftermath
    writing: Writing
    operations: Operations

    @classmethod
    def over(cls, store: Store, switches: Switches) -> Self:
        """Return the core for this store."""
        clock = Clock()
        checker = Checker(proto_names=switches.proto_names == "accept")
        answers = Answers(switches)
        lookup = Lookup(store, switches)
        rules = Rules(store, switches, lookup)
        writer = Writer(store, answers, switches, clock)
        aftermath = Aftermath(store, lookup, writer)
        return cls(
            store=store,
            switches=switches,
            clock=clock,
            checker=checker,
            answers=answers,
            lookup=lookup,
            rules=rules,
            writer=writer,
            aftermath=aftermath,
            writing=Writing(store, switches, checker, lookup, rules, writer, aftermath),
            operations=Operations(store, answers, switches, clock, checker),
        )

    def request_body(self, call: Call) -> Body:
        """
        Return the request of a custom method, including the field that the path sets.

        Raise Refused for unknown or missing fields and for wrong types.
        """
        given = {} if call.body is None else call.body
        body = self.checker.check(call.rpc.request, given, version=call.target.version)
        *above, bound = call.rpc.bound.split(".")
        holder = body
        for part in above:
            holder = holder.setdefault(part, {})
        holder[bound] = call.target.name or call.target.parent
        if lacking := missing(call.rpc.request, body):
            raise invalid_all(lacking)
        return body


class Methods:
    """A group of methods of the service."""

    def __init__(self, core: Core) -> None:
        self._core = core
