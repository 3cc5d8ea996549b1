"""The text of a file as one of ADK's shapes; what is wrong is said by the path of the value."""

from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from cesplan.domain.errors import InvalidConfiguration
from cesplan.features.scores.strict_json import strict_json
from cesplan.render.machine.formats.base import problems

_Shape = TypeVar("_Shape", bound=BaseModel)
_MOST_PROBLEMS = 5
"""Of a file with more, the rest is most likely the same."""
_MOST_COUNTED = 1_000
"""Each takes half a kilobyte to be spelled out, and a file of megabytes can have millions."""
_LONGEST_PROBLEM = 300
"""Characters: a path holds keys of the file."""


def document_of(text: str, name: str) -> Any:
    """The JSON value of a file. Raises InvalidConfiguration."""
    try:
        return strict_json(text)
    except ValueError as error:
        raise InvalidConfiguration(summary=f"{name} cannot be read: {error}.") from error


def shaped(shape: type[_Shape], document: Any, name: str, what: str) -> _Shape:
    """A value as a shape. Raises InvalidConfiguration with the first problems."""
    try:
        return shape.model_validate(document)
    except ValidationError as error:
        raise InvalidConfiguration(summary=f"{name} is not {what}.", detail=_problem_text(error)) from None


def _problem_text(error: ValidationError) -> str:
    if (number := error.error_count()) > _MOST_COUNTED:
        return f"It has {number:,} problems."
    return "\n".join(item[:_LONGEST_PROBLEM] for item in [*problems(error)][:_MOST_PROBLEMS])
