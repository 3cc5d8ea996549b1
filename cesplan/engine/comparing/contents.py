"""The contents of an app: everything that is deleted with it, to check that it is as the plan saw it."""

from collections.abc import Iterable, Mapping

from cesplan.domain.live import LiveApp, LiveResource
from cesplan.model.kinds import kind_of


def contents_of(live: LiveApp) -> tuple[LiveResource, ...]:
    """Everything in an app except what the service creates itself, by name."""
    found = (item for items in live.children.values() for item in items)
    return tuple(sorted(filter(_counts, found), key=lambda item: item.name))


def by_id(contents: Iterable[LiveResource]) -> Mapping[tuple[str, str], LiveResource]:
    """The contents by kind and id, because resource names can spell a project in two ways."""
    return {(item.kind, item.id): item for item in contents}


def _counts(item: LiveResource) -> bool:
    return not kind_of(item.kind).is_made_by_service(item.body)
