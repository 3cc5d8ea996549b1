"""A state of the tree as if it were live: what the service would answer had it been applied."""

from collections.abc import Iterator

from cesplan.domain.desired import DesiredApp, DesiredResource
from cesplan.domain.field_path import FieldPath
from cesplan.domain.live import LiveResource
from cesplan.domain.value import Body
from cesplan.model.kinds import Kind


def as_live(app_name: str, app: DesiredApp, kind: Kind) -> Iterator[LiveResource]:
    """The resources of a kind as an apply of the app would leave them; references stay as the tree has them."""
    for item in app.resources:
        if item.address.kind == kind.name:
            name = f"{app_name}/{kind.name}/{item.resource_id or item.address.key}"
            yield LiveResource(kind=kind.name, body={**body_with_extra(item), "name": name})


def body_with_extra(item: DesiredResource) -> Body:
    """The body of a file with its fields that are newer than the models."""
    body = item.body
    for path, value in sorted(item.extra.items()):
        body = FieldPath.parse(path).put(body, value)
    return body
