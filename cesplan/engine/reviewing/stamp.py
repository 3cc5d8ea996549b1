"""
Restamping: the stamp of a reviewed plan, merged into the current metadata of the app.

The stamp never counts as a difference, so changed keys of others do not make a plan stale; they are kept.
"""

from dataclasses import replace

from cesplan.domain.app_metadata.lease import LEASE
from cesplan.domain.app_metadata.names import others_keys, own_keys
from cesplan.domain.app_metadata.stamp import SEQUENCE
from cesplan.domain.plan import Operation
from cesplan.domain.reviewed import Moved, Movement
from cesplan.domain.value import Body, as_object
from cesplan.engine.comparing.value_redactor import ValueRedactor
from cesplan.engine.reviewing.operation_recheck import Again
from cesplan.model.kinds import kind_of


def restamped(stamp: Operation, live: Body | None, own: Again | None, redactor: ValueRedactor) -> Again:
    """
    The stamp for the current app. `own` is the result for the other operation on the app.

    It is done if the same stamp is already there, and refreshed if another one was written since.
    """
    name = kind_of("apps").stamp_field
    if live is None:
        if stamp.before is None:
            return Again(operation=stamp)
        return Again(operation=stamp, moved=None if own else _gone(stamp))
    fresh = replace(stamp, seen=live, etag=str(live.get("etag") or ""))
    if own is not None and own.is_left and any(path.fields[0] == name for path in own.operation.mask):
        return Again(operation=fresh)
    return _around(fresh, redactor.redact(dict(as_object(live.get(name)))), name)


def _around(stamp: Operation, there: Body, name: str) -> Again:
    planned = (stamp.after or {}).get(name, {})
    whole = {name: {**others_keys(there), **own_keys(planned)}}
    steps = tuple(replace(step, body=whole) for step in stamp.steps)
    stamp_step = replace(stamp, steps=steps, before={name: there}, after=whole)
    seen = (stamp.before or {}).get(name) or {}
    is_done = _settled(there) == _settled(whole[name])
    return Again(operation=stamp_step, is_done=is_done, is_refreshed=_stamp(seen) != _stamp(there))


def _stamp(metadata: Body) -> Body:
    return _settled(own_keys(metadata))


def _settled(metadata: Body) -> Body:
    """The metadata without the change log position and the lease, which change independently."""
    return {key: value for key, value in metadata.items() if key not in (SEQUENCE, LEASE)}


def _gone(stamp: Operation) -> Moved:
    return Moved(operation=stamp, movement=Movement.DELETED)
