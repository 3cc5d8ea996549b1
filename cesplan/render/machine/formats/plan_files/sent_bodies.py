"""What a step sends, as a plan file may hold it: no secret, and nothing that only live knows."""

from collections.abc import Iterator
from typing import Any

from cesplan.domain.errors import CesplanError
from cesplan.domain.field_path import FieldPath, MaskPath
from cesplan.domain.plan import Operation, Step
from cesplan.domain.settings import MaskDepth
from cesplan.domain.value import ABSENT, Place, Secret, at_place, leaves, with_leaves
from cesplan.render.field_redactor import FieldRedactor
from cesplan.render.machine.formats.plan_files.sealing import secret_places


def sent_body(operation: Operation, step: Step, redactor: FieldRedactor, depth: MaskDepth) -> Any:
    """
    The body of a step.

    Hidden values that live already has stay there, and are read from live again. Other hidden values come from
    the tree, where they are in the clear. Raises CesplanError for a secret that could not be reconstructed.
    """
    body = _without_lives_own(step.body, redactor.body(step.body), operation.before)
    for place, secret in secret_places(body):
        if secret.variables and not secret.recipe:
            raise _unknown_secret(operation, place)
    if depth is MaskDepth.TOP:
        _check_lists(operation, step, redactor)
    return body


def planned_body(after: Any, mask: tuple[MaskPath, ...]) -> Any:
    """What a resource holds at the paths of a mask; all of it without a mask. Absent fields stay absent."""
    if not mask:
        return after
    body: Any = {}
    for path in map(FieldPath, (item.fields for item in mask)):
        value = path.get(after, ABSENT)
        if value is not ABSENT:
            body = path.put(body, value)
    return body


def _without_lives_own(sent: Any, redacted: Any, live: Any) -> Any:
    """
    The body to send, with a nameless secret for each hidden value that live has in the same place.

    Places in lists move; `_check_lists` sees to what live has in them.
    """

    def leaf(place: Place, value: Any) -> Any:
        cover = at_place(redacted, place)
        there = None if _is_in_list(place) else at_place(live, place)
        is_lives_own = isinstance(cover, Secret) and not isinstance(value, Secret) and value == there
        return cover if is_lives_own else value

    return with_leaves(sent, leaf)


def _check_lists(operation: Operation, step: Step, redactor: FieldRedactor) -> None:
    """With masks at the top, whole lists are sent as live has them; hidden values in them cannot be kept."""
    hidden = {
        place: secret for place, secret in secret_places(redactor.body(step.body)) if not secret.variables
    }
    known = set(_hidden_texts(operation.before, redactor.body(operation.before)))
    for place in hidden:
        if _is_in_list(place) and at_place(step.body, place) in known:
            raise _unknown_secret(operation, place)


def _hidden_texts(value: Any, redacted: Any) -> Iterator[Any]:
    """Values that a redactor hides and that do not come from our variables."""
    for place, leaf in leaves(value):
        if not isinstance(leaf, Secret) and isinstance(at_place(redacted, place), Secret):
            yield leaf


def _is_in_list(place: Place) -> bool:
    return any(isinstance(step, int) for step in place)


def _unknown_secret(operation: Operation, place: Place) -> CesplanError:
    return CesplanError(
        summary=f"The plan cannot be saved to a file: {operation.address} "
        "sends a secret that comes from no variable.",
        detail=f"It is in `{'.'.join(map(str, place))}`. "
        "Move it to a secret variable, or apply the tree directly.",
    )
