"""Three states of one resource, as two diffs: what was edited live since the base, what the tree changed."""

from collections.abc import Mapping
from dataclasses import replace

from cesplan.domain.change import FieldChange
from cesplan.domain.desired import DesiredResource
from cesplan.domain.frozen import dataclass
from cesplan.domain.naming import Naming
from cesplan.domain.resource_name import last_id
from cesplan.domain.value import Body
from cesplan.engine.comparing.diff import Scope, diff
from cesplan.engine.comparing.ignored_fields import with_values_of
from cesplan.engine.comparing.normalize import normalize
from cesplan.features.history.base import Base
from cesplan.features.history.half_writes import without_moment_name
from cesplan.model.kinds import kind_of


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreeStates:
    """Two of the three diffs between desired, live, and base; live's fields newer than the models."""

    live_edits: tuple[FieldChange, ...]
    """From live back to the base."""
    tree_edits: tuple[FieldChange, ...]
    """From the base to desired."""
    unknown: Mapping[str, object]


def three_states(file: DesiredResource, base: Base, live: Body, naming: Naming) -> ThreeStates:
    """The diffs of a resource; an empty `live` means that it does not exist live."""
    kind = kind_of(file.address.kind)
    spec = kind.spec
    declared, there = normalize(spec, file.body, naming), normalize(spec, live, naming)
    body = without_moment_name(kind, base.body, there.body, last_id(str(live.get("name", ""))))
    there = replace(there, body=body)
    desired = with_values_of(spec, declared.body, there.body, file.ignore) if live else declared.body
    before = with_values_of(spec, base.body, there.body, file.ignore) if live else base.body
    unknown = frozenset(path for path, _ in there.unknown)
    base_scope = Scope(ownership=base.ownership, named=base.named, cleared=base.cleared, unknown=unknown)
    tree_scope = Scope(ownership=file.ownership, named=declared.named, cleared=declared.cleared)
    return ThreeStates(
        live_edits=diff(spec, before, there.body, base_scope) if live else (),
        tree_edits=diff(spec, desired, before, tree_scope),
        unknown={str(path): value for path, value in there.unknown},
    )
