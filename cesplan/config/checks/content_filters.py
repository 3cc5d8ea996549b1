"""CES060, CES061: the regular expressions of content filters."""

from typing import TYPE_CHECKING

from cesplan.config.checks.placing import place_at, shown
from cesplan.config.checks.walking import text_at, texts_at
from cesplan.config.manifest import AppTree, Finding, ResourceFile
from cesplan.domain.field_path import FieldPath

if TYPE_CHECKING:
    from cesplan.config.checks.regular_expressions import PatternFault

_DETAIL = "Put a `\\` before a character to match it literally."
_DETAIL_OF_FOREIGN = "RE2 has no lookaround, backreferences, possessive quantifiers, or atomic groups."
_LISTS = ("bannedContents", "bannedContentsInUserInput", "bannedContentsInAgentResponse")


def check_content_filters(tree: AppTree) -> list[Finding]:
    """If the match type is REGEXP_MATCH, all banned contents are regular expressions."""
    filters = [item for item in tree.of("guardrails") if _is_of_expressions(item)]
    return _findings(filters) if filters else []


def _is_of_expressions(guardrail: ResourceFile) -> bool:
    return text_at(guardrail.body, "contentFilter", "matchType") == "REGEXP_MATCH"


def _findings(guardrails: list[ResourceFile]) -> list[Finding]:
    from cesplan.config.checks.regular_expressions import fault_of  # a parser that most trees do not need

    return [
        _finding(guardrail, path, pattern, fault)
        for guardrail in guardrails
        for name in _LISTS
        for path, pattern in texts_at(guardrail.body, "contentFilter", name)
        if (fault := fault_of(pattern))
    ]


def _finding(file: ResourceFile, path: FieldPath, pattern: str, fault: "PatternFault") -> Finding:
    piece = shown(pattern[fault.offset : fault.offset + fault.span])
    kind = "unsupported regular expression" if fault.foreign else "invalid regular expression"
    return Finding(
        code="CES061" if fault.foreign else "CES060",
        file=file,
        path=path,
        summary=f"{kind}: {fault.message}, at character {fault.offset + 1}: `{piece}`",
        detail=_DETAIL_OF_FOREIGN if fault.foreign else _DETAIL,
        place=place_at(pattern, fault.offset, fault.span),
    )
