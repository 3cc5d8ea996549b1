"""Expectations: criteria that evaluations share."""

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
    """A criterion, written once and used by many evaluations."""

    MESSAGE = "EvaluationExpectation"

    llm_criteria: Annotated[LlmCriteria | None, OneOf("criteria")] = None
    """Judged by a model."""
    name: Annotated[str | None, Identifier()] = None
    """The resource name; it follows from where the file is, and is never written there."""
    display_name: Annotated[str | None, Required(refused=True)] = None
    """The name that people see; unique in the app."""
    tags: Annotated[list[str] | None, AsSet()] = None
    """Labels. Order means nothing."""
    create_time: Annotated[Opaque, OutputOnly()] = None
    """When it was created."""
    update_time: Annotated[Opaque, OutputOnly()] = None
    """When it was last changed."""
    etag: Annotated[str | None, Etag()] = None
    """Changes with every write; kept by cesplan, never written in a file."""
