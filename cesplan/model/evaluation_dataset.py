"""TODO"""

from typing import Annotated

from cesplan.model.base import Resource
from cesplan.model.marks import AsSet, Etag, Identifier, OutputOnly, Reference, Required
from cesplan.model.scalars import Opaque


class EvaluationDataset(Resource):
    """TODO"""

    MESSAGE = "EvaluationDataset"

    name: Annotated[str | None, Identifier()] = None
    display_name: Annotated[str | None, Required()] = None
    evaluations: Annotated[list[str] | None, Reference(("evaluations",)), AsSet()] = None
    create_time: Annotated[Opaque, OutputOnly()] = None
    update_time: Annotated[Opaque, OutputOnly()] = None
    etag: Annotated[str | None, Etag()] = None
    created_by: Annotated[Opaque, OutputOnly()] = None
    last_updated_by: Annotated[Opaque, OutputOnly()] = None
    aggregated_metrics: Annotated[Opaque, OutputOnly()] = None
