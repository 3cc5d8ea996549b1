"""
ADK's `tool_trajectory_avg_score`: the tool calls of a turn compared with the expected ones.

A call is its name and its arguments, compared as Python compares them. Ids of calls do not count, and names are
case-sensitive. If no call is expected, IN_ORDER and ANY_ORDER allow any call.
"""

from collections import Counter
from collections.abc import Sequence
from typing import assert_never

from cesplan.domain.features.scores import MatchType, ToolUse
from cesplan.features.scores.equality import canonical

_Key = tuple[str | None, str | None]


def trajectory_score(
    actual: Sequence[ToolUse],
    expected: Sequence[ToolUse],
    match_type: MatchType = MatchType.EXACT,
    *,
    ignore_args: bool = False,
) -> float:
    """1 if the calls match, else 0."""
    ours = [_key(call, ignore_args=ignore_args) for call in actual]
    theirs = [_key(call, ignore_args=ignore_args) for call in expected]
    match match_type:
        case MatchType.EXACT:
            matches = ours == theirs
        case MatchType.IN_ORDER:
            matches = is_in_order(ours, theirs)
        case MatchType.ANY_ORDER:
            matches = Counter(theirs) <= Counter(ours)
        case _:
            assert_never(match_type)
    return float(matches)


def is_in_order(items: Sequence[object], expected: Sequence[object]) -> bool:
    """Whether all expected items occur in that order; others may be in between."""
    rest = iter(items)
    return all(item in rest for item in expected)


def _key(call: ToolUse, *, ignore_args: bool) -> _Key:
    return call.name, None if ignore_args or call.args is None else canonical(dict(call.args))
