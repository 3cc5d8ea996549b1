"""TODO"""

from typing import Annotated

from cesplan.model.base import Resource
from cesplan.model.marks import Etag, Identifier, OutputOnly
from cesplan.model.scalars import Opaque


class AppVersion(Resource):
    """TODO"""

    MESSAGE = "AppVersion"

    name: Annotated[str | None, Identifier()] = None
    display_name: str | None = None
    description: str | None = None
    creator: Annotated[Opaque, OutputOnly()] = None
    create_time: Annotated[Opaque, OutputOnly()] = None
    snapshot: Annotated[Opaque, OutputOnly()] = None
    etag: Annotated[str | None, Etag()] = None
