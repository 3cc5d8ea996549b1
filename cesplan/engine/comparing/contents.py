"""Contents: what goes with an app that is deleted, and whether it still is what the plan saw."""

from collections.abc import Iterable, Mapping

from cesplan.domain.live import LiveApp, LiveResource
from cesplan.model.kinds import kind_of


def contents_of(live: LiveApp) -> tuple[LiveResource, ...]:
    """Everything in an app but what the service makes by itself, by name."""
    found = (item for items in live.children.values() for item in items)
    return tuple(sorted(filter(_counts, found), key=lambda item: item.name))


def by_id(contents: Iterable[LiveResource]) -> Mapping[tuple[str, str], LiveResource]:
    """The same by kind and id: a project has two spellings in full names."""
    return {(item.kind, item.id): item for item in contents}


def _counts(item: LiveResource) -> bool:
    return not kind_of(item.kind).is_made_by_service(item.body)
