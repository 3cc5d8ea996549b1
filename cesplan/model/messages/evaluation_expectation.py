"""Expectations: criteria that several evaluations can use."""

from typing import Annotated

from cesplan.model.base import Message, Resource
from cesplan.model.marks import AsSet, Etag, Identifier, LongText, OneOf, OutputOnly, Required
from cesplan.model.scalars import Opaque


class LlmCriteria(Message):
    """A criterion that a model judges."""

    MESSAGE = "EvaluationExpectation.LlmCriteria"

    prompt: Annotated[str | None, Required(), LongText("markdown")] = None
    """The prompt of the judge."""


class EvaluationExpectation(Resource):
    """A criterion that several evaluations can use."""

    MESSAGE = "EvaluationExpectation"

    llm_criteria: Annotated[LlmCriteria | None, OneOf("criteria")] = None
    """Judged by a model."""
    name: Annotated[str | None, Identifier()] = None
    """The resource name. It is derived from the path of the file; do not set it in a file."""
    display_name: Annotated[str | None, Required(refused=True)] = None
    """The display name; unique in the app."""
    tags: Annotated[list[str] | None, AsSet()] = None
    """Labels. Order does not matter."""
    create_time: Annotated[Opaque, OutputOnly()] = None
    """When it was created."""
    update_time: Annotated[Opaque, OutputOnly()] = None
    """When it was last updated."""
    etag: Annotated[str | None, Etag()] = None
    """Changes with every write. cesplan manages it; do not set it in a file."""
