"""
Half writes: the state that an apply leaves if it breaks off between two writes of one resource, which is not an
edit. No stamp records it, but the first write can be recognized: a temporary name that frees another one, a
resource that is about to be deleted and first drops its references to others, and a lock that the author of the
apply opened.
"""

from functools import partial

from cesplan.domain.desired import DesiredApp
from cesplan.domain.field_path import FieldPath
from cesplan.domain.value import Body
from cesplan.engine.comparing.bodies import take
from cesplan.engine.comparing.dropped_references import without_references
from cesplan.engine.comparing.normalize import references
from cesplan.engine.planning.unique_names import name_of_the_moment
from cesplan.features.history.edit_log import EditLog
from cesplan.model.kinds import KINDS, Kind
from cesplan.model.system_tools import NEVER_MANAGED


def without_moment_name(kind: Kind, base: Body, live: Body, resource_id: str) -> Body:
    """A canonical live body with the name of the base, if it has the temporary name that frees it."""
    if not kind.unique_display_name:
        return live
    path = tuple(kind.display_name_at[0].split("."))
    name = take(base, path)
    if not isinstance(name, str) or take(live, path) != name_of_the_moment(name, resource_id):
        return live
    return dict(FieldPath.parse(kind.display_name_at[0]).put(live, name))


def without_going(kind: Kind, base: Body, live: Body, tree: DesiredApp) -> tuple[Body, Body]:
    """Base and live of a resource that the tree dropped, without references to others that are dropped too."""
    here = {item.address.within_app for item in tree.all()}
    gone = frozenset(name for _, name in references(kind.spec, base) if name not in here and _is_managed(name))
    return without_references(kind.spec, base, gone), without_references(kind.spec, live, gone)


def is_half_unlocked(kind: Kind, name: str, path: FieldPath, log: EditLog) -> bool:
    """True if a field is the lock of an app, by its full name, that the author of the last apply opened."""
    field = kind.lock_field
    return bool(field) and path.fields == (field,) and log.was_by_applier(name, partial(_unlocks, field))


def _unlocks(field: str, before: Body, after: Body) -> bool:
    return bool(before.get(field)) and not after.get(field)


def _is_managed(name: str) -> bool:
    collection, _, key = name.partition("/")
    return collection in {*KINDS} and key not in NEVER_MANAGED.get(collection, ())
