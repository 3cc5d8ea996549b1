"""A rendered tree for machines: every resource with its body, secrets as references to their variables."""

from collections.abc import Iterable
from typing import Any, Self

from cesplan.domain.desired import DesiredResource
from cesplan.domain.features.app_list import AppList, Standing
from cesplan.domain.settings import Ownership, Settings
from cesplan.model.kinds import kind_of
from cesplan.render.documents import sorted_members
from cesplan.render.field_redactor import FieldRedactor, shown
from cesplan.render.machine.formats.base import AddressText, Document, Format, Located


class ResourceJson(Format):
    """One resource."""

    address: AddressText
    """`<app>`, `<app>/<kind>/<key>`, or `@<location>/<kind>`."""
    type: str
    """The kind."""
    name: str
    """The key."""
    files: tuple[str, ...]
    """The files that define it: its own file first, then the overlays."""
    id: str | None
    """`$id`; null if the key is the id, or if the display name decides."""
    protect: bool
    """`$protect`: whether it is never deleted."""
    ownership: Ownership
    """`$ownership`: what an absent field means."""
    ignore: tuple[str, ...]
    """`$ignore`: the fields that are left alone."""
    extra: dict[str, Any]
    """`$extra`: values of fields that cesplan does not know, by path."""
    body: dict[str, Any]
    """The body, with secrets as `{"$var": name}`."""

    @classmethod
    def of(cls, item: DesiredResource, files: tuple[str, ...]) -> Self:
        redactor = FieldRedactor(kind_of(item.address.kind).spec, frozenset())
        return cls.from_value(
            item,
            type=item.address.kind,
            name=item.address.key,
            files=files,
            id=item.resource_id,
            ignore=tuple(map(str, item.ignore)),
            extra=sorted_members(shown(dict(item.extra))),
            body=sorted_members(shown(redactor.body(item.body))),
        )


class TreeReport(Located, Document):
    """`cesplan render --format json`."""

    api_version: str
    """The API version."""
    resources: tuple[ResourceJson, ...]
    """The resources by address, with each app before its resources."""

    @classmethod
    def of(cls, settings: Settings, resources: Iterable[tuple[DesiredResource, tuple[str, ...]]]) -> Self:
        found = tuple(ResourceJson.of(item, files) for item, files in resources)
        return cls.from_value(settings, settings.place, resources=found)


class ListedAppJson(Format):
    """One app. Members about the last apply are empty if there was none."""

    standing: Standing
    """
    What the app is to this tree: `managed`, `new` (never applied), `taken` (another tree applied it last),
    `not_live`, `former` (its folder is gone), `elsewhere` (another tree has it), `unmanaged`.
    """
    key: str
    """The key in the tree; empty if the tree does not have it."""
    name: str
    """The full resource name; empty if it is not live."""
    display_name: str
    """The display name."""
    tree: str
    """The tree of the last apply."""
    environment: str
    """The environment of the last apply."""
    commit: str
    """The commit of the last apply."""
    dirty: bool
    """Whether the tree differed from that commit."""


class AppListReport(Document):
    """`cesplan list --format json`."""

    project: str
    """The Google Cloud project."""
    location: str
    """The location."""
    environment: str
    """The environment of `cesplan.yaml`; empty if none was selected."""
    service: str
    """The service that answered; empty for the default one."""
    apps: tuple[ListedAppJson, ...]
    """The apps: first those of the tree, by key, then the others, by display name."""

    @classmethod
    def of(cls, listed: AppList) -> Self:
        settings = listed.settings
        return cls.from_value(listed, settings, settings.place, service=settings.where)
