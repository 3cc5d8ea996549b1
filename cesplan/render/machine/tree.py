"""A rendered tree for machines: every resource with its body, secrets as references to their variables."""

from collections.abc import Iterable
from typing import Any

from cesplan.domain.desired import DesiredResource
from cesplan.domain.settings import Settings
from cesplan.model.kinds import kind_of
from cesplan.render.documents import opening, sorted_members, text_of
from cesplan.render.field_redactor import FieldRedactor, shown


def tree_json(settings: Settings, resources: Iterable[tuple[DesiredResource, tuple[str, ...]]]) -> str:
    """The JSON text of resources with their files, ended by a line feed."""
    return text_of(
        {
            **opening(),
            "environment": settings.environment,
            "project": settings.place.project,
            "location": settings.place.location,
            "api_version": settings.api_version,
            "resources": [_resource(item, files) for item, files in resources],
        }
    )


def _resource(item: DesiredResource, files: tuple[str, ...]) -> dict[str, Any]:
    redactor = FieldRedactor(kind_of(item.address.kind).spec, frozenset())
    return {
        "address": str(item.address),
        "type": item.address.kind,
        "name": item.address.key,
        "files": list(files),
        "id": item.resource_id,
        "protect": item.protect,
        "ownership": item.ownership,
        "ignore": [*map(str, item.ignore)],
        "extra": sorted_members(shown(dict(item.extra))),
        "body": sorted_members(shown(redactor.body(item.body))),
    }
