"""Diagnostics for machines."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from cesplan.domain.diagnostic import Diagnostic, Severity
from cesplan.render.documents import opening, text_of


def diagnostics_json(diagnostics: Sequence[Diagnostic], files: int) -> str:
    """The JSON text of a validation, ended by a line feed."""
    counts = Counter(item.severity for item in diagnostics)
    return text_of(
        {
            **opening(),
            "valid": not counts[Severity.ERROR],
            "files": files,
            "summary": {f"{severity}s": counts[severity] for severity in Severity},
            "diagnostics": diagnostics_document(diagnostics),
        }
    )


def diagnostics_document(diagnostics: Sequence[Diagnostic]) -> list[dict[str, Any]]:
    """Diagnostics by file and line; lines and columns count from 1, `place` is null where there is none."""
    return [_one(item) for item in sorted(diagnostics, key=lambda item: item.sort_key)]


def _one(item: Diagnostic) -> dict[str, Any]:
    place = item.place
    return {
        "code": item.code,
        "severity": item.severity,
        "summary": item.summary,
        "detail": item.detail,
        "suggestion": item.suggestion,
        "address": item.address,
        "place": {"file": place.file, "line": place.line, "column": place.column} if place else None,
        "source_line": item.source_line,
        "span": item.span,
    }
