"""Datasets: evaluations that are run together."""

from typing import Annotated

from cesplan.model.base import Resource
from cesplan.model.marks import AsSet, Etag, Identifier, OutputOnly, Reference, Required
from cesplan.model.scalars import Opaque


class EvaluationDataset(Resource):
    """A group of evaluations."""

    MESSAGE = "EvaluationDataset"

    name: Annotated[str | None, Identifier()] = None
    """The resource name. It is derived from the path of the file; do not set it in a file."""
    display_name: Annotated[str | None, Required(refused=True)] = None
    """The display name; unique in the app."""
    evaluations: Annotated[list[str] | None, Reference(("evaluations",)), AsSet()] = None
    """The evaluations, by key. Order does not matter."""
    create_time: Annotated[Opaque, OutputOnly()] = None
    """When it was created."""
    update_time: Annotated[Opaque, OutputOnly()] = None
    """When it was last updated."""
    etag: Annotated[str | None, Etag()] = None
    """Changes with every write. cesplan manages it; do not set it in a file."""
    created_by: Annotated[Opaque, OutputOnly()] = None
    """Who created it."""
    last_updated_by: Annotated[Opaque, OutputOnly()] = None
    """Who last updated it."""
    aggregated_metrics: Annotated[Opaque, OutputOnly()] = None
    """Scores over all runs."""
