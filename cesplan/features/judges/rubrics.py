"""Which rubrics are in force in a turn: those of the criterion, of the case, and of the expected turn."""

from collections.abc import Sequence

from cesplan.domain.features.judges import RESPONSE_RUBRICS, TOOL_RUBRICS, JudgeFailed
from cesplan.domain.features.scores import Criterion, Rubric

_TYPES = {RESPONSE_RUBRICS: "FINAL_RESPONSE_QUALITY", TOOL_RUBRICS: "TOOL_USE_QUALITY"}
"""The type that a rubric outside of a criterion must have, as ADK spells it."""


def rubrics_in_force(
    criterion: Criterion, of_case: Sequence[Rubric], of_turn: Sequence[Rubric]
) -> tuple[Rubric, ...]:
    """
    The rubrics for a judge, without duplicates. Raises JudgeFailed if there is none, if one has no text, and if
    two differ under one id, because it would be unclear which of them was judged.
    """
    types = _TYPES[criterion.metric]
    named = criterion.judge.rubrics if criterion.judge else ()
    found: dict[str, Rubric] = {}
    for item in (*named, *(one for one in (*of_case, *of_turn) if one.type == types)):
        known = found.setdefault(item.key, item)
        if known.text != item.text:
            raise JudgeFailed(reason=f"two rubrics have the id `{item.key}`")
        if not item.text.strip():
            raise JudgeFailed(reason=f"the rubric `{item.key}` has no text")
    if not found:
        raise JudgeFailed(reason="neither the criterion nor the case has a rubric")
    return tuple(found.values())
