"""Versions: snapshots of an app that never change."""

from typing import Annotated

from cesplan.model.base import Resource
from cesplan.model.marks import Etag, Identifier, OutputOnly
from cesplan.model.scalars import Opaque


class AppVersion(Resource):
    """
    A snapshot of an app, taken after all else is applied. Changing its file is an error: add another
    version.
    """

    MESSAGE = "AppVersion"

    name: Annotated[str | None, Identifier()] = None
    """The resource name; it follows from where the file is, and is never written there."""
    display_name: str | None = None
    """The name that people see."""
    description: str | None = None
    """A description of the changes in it."""
    creator: Annotated[Opaque, OutputOnly()] = None
    """Who made it."""
    create_time: Annotated[Opaque, OutputOnly()] = None
    """When it was created."""
    update_time: Annotated[Opaque, OutputOnly()] = None
    """When it was last changed."""
    snapshot: Annotated[Opaque, OutputOnly()] = None
    """The app as it was."""
    etag: Annotated[str | None, Etag()] = None
    """Changes with every write; kept by cesplan, never written in a file."""
