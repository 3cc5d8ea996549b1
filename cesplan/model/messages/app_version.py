"""Versions: snapshots of an app that never change."""

from typing import Annotated

from cesplan.model.base import Resource
from cesplan.model.marks import Etag, Identifier, OutputOnly
from cesplan.model.scalars import Opaque


class AppVersion(Resource):
    """
    A snapshot of an app, taken after everything else is applied. It cannot be changed: add another version
    instead.
    """

    MESSAGE = "AppVersion"

    name: Annotated[str | None, Identifier()] = None
    """The resource name. It is derived from the path of the file; do not set it in a file."""
    display_name: str | None = None
    """The display name."""
    description: str | None = None
    """A description of the changes in it."""
    creator: Annotated[Opaque, OutputOnly()] = None
    """Who created it."""
    create_time: Annotated[Opaque, OutputOnly()] = None
    """When it was created."""
    update_time: Annotated[Opaque, OutputOnly()] = None
    """When it was last updated."""
    snapshot: Annotated[Opaque, OutputOnly()] = None
    """The app at that time."""
    etag: Annotated[str | None, Etag()] = None
    """Changes with every write. cesplan manages it; do not set it in a file."""
