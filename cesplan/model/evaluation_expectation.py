"""TODO"""

from typing import Annotated

from cesplan.model.base import Message, Resource
from cesplan.model.marks import AsSet, Etag, Identifier, LongText, OneOf, OutputOnly, Required
from cesplan.model.scalars import Opaque


class LlmCriteria(Message):
    """TODO"""

    MESSAGE = "EvaluationExpectation.LlmCriteria"

    prompt: Annotated[str | None, Required(), LongText("markdown")] = None


class EvaluationExpectation(Resource):
    """TODO"""

    MESSAGE = "EvaluationExpectation"

    llm_criteria: Annotated[LlmCriteria | None, OneOf("criteria")] = None
    name: Annotated[str | None, Identifier()] = None
    display_name: Annotated[str | None, Required()] = None
    tags: Annotated[list[str] | None, AsSet()] = None
    create_time: Annotated[Opaque, OutputOnly()] = None
    update_time: Annotated[Opaque, OutputOnly()] = None
    etag: Annotated[str | None, Etag()] = None
