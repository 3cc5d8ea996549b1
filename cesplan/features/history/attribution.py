"""Attribution: which entry of an app's change log made the live edit that a comparison found."""

from collections.abc import Iterable

from cesplan.domain.change import EditKind, FieldChange, LiveEdit
from cesplan.domain.field_path import FieldPath
from cesplan.domain.naming import Naming
from cesplan.domain.value import Body
from cesplan.engine.comparing.normalize import normalize
from cesplan.engine.comparing.origins import edited_between
from cesplan.features.history.edit_log import EditLog
from cesplan.model.kinds import Kind


def attributed(
    log: EditLog, kind: Kind, name: str, edit: EditKind, changes: Iterable[FieldChange], naming: Naming
) -> LiveEdit:
    """
    The live edit of a resource (by its full name) that these changes lead back from.

    An update that made one of the changes exactly is preferred; without one, an update of a field that contains
    one of them is used.
    """
    sought = tuple(changes)

    def exactly(before: Body, after: Body) -> bool:
        one, other = (normalize(kind.spec, body, naming).body for body in (before, after))
        return any(edited_between(change, one, other) for change in sought)

    def roughly(before: Body, after: Body) -> bool:
        paths = [FieldPath(change.mask.fields) for change in sought]
        return any(path.get(before) != path.get(after) for path in paths)

    return log.edit(name, edit, exactly, roughly)
