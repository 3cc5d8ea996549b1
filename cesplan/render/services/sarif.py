"""
SARIF 2.1.0 of a validation, for services that show findings next to the code. Rules are the codes of cesplan,
each with its page as help. Secret parts of a source line are already redacted in the diagnostics.

Source: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

import os
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from cesplan import __version__
from cesplan.domain.diagnostic import Code, Diagnostic, Fix, Severity
from cesplan.domain.errors import CesplanError
from cesplan.render.documents import text_of

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "SRCROOT"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTICE: "note"}


def sarif(diagnostics: Sequence[Diagnostic], rules: Sequence[Code], *, folder: str = "") -> str:
    """
    The SARIF text of findings, ended by a line feed.

    `rules` explain at least every code that was found. `folder` leads from the root of the repository to the
    tree, as a relative path with `/`: services want paths from there.
    """
    found = sorted(diagnostics, key=lambda item: item.sort_key)
    codes = {item.code for item in found}
    used = [rule for rule in sorted(rules, key=lambda rule: rule.code) if rule.code in codes]
    index = {rule.code: number for number, rule in enumerate(used)}
    return _log(used, [_result(item, index, folder) for item in found], successful=True)


def error_sarif(error: CesplanError) -> str:
    """The SARIF text of a run that ended in an error instead of findings."""
    return _log([], [], successful=False, error=str(error))


def _log(rules: Sequence[Code], results: list[dict[str, Any]], *, successful: bool, error: str = "") -> str:
    notes = [{"level": "error", "message": {"text": error}}] if error else []
    run = {
        "tool": {
            "driver": {
                "name": "cesplan",
                "semanticVersion": __version__,
                "rules": [_rule(rule) for rule in rules],
            }
        },
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": successful,
                **({"toolExecutionNotifications": notes} if notes else {}),
            }
        ],
        "results": results,
    }
    return text_of({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule(rule: Code) -> dict[str, Any]:
    return {
        "id": rule.code,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.page.strip().split("\n\n")[0].replace("\n", " ")},
        "help": {"text": rule.page.strip(), "markdown": rule.page.strip()},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
    }


def _result(item: Diagnostic, index: dict[str, int], folder: str) -> dict[str, Any]:
    question = f"Did you mean {item.suggestion}?" if item.suggestion else ""
    message = "\n".join(filter(None, (item.summary, question, item.detail)))
    return {
        **({"ruleId": item.code} if item.code else {}),
        **({"ruleIndex": index[item.code]} if item.code in index else {}),
        "level": _LEVELS[item.severity],
        "message": {"text": message},
        "locations": _locations(item, folder),
        **({"fixes": [_fix(item.fix, folder)]} if item.fix else {}),
    }


def _fix(fix: Fix, folder: str) -> dict[str, Any]:
    """A fix as in SARIF 2.1.0, section 3.55: the deleted region and its replacement."""
    deleted = {
        "startLine": fix.place.line,
        "startColumn": fix.place.column,
        "endLine": fix.place.line,
        "endColumn": fix.place.column + len(fix.before),
    }
    return {
        "description": {"text": f"Replace `{fix.before}` with `{fix.after}`."},
        "artifactChanges": [
            {
                "artifactLocation": _artifact(fix.place.file, folder),
                "replacements": [{"deletedRegion": deleted, "insertedContent": {"text": fix.after}}],
            }
        ],
    }


def _artifact(file: str, folder: str) -> dict[str, Any]:
    path = f"{folder}/{file}" if folder else file
    return {"uri": quote(os.fsencode(path)), "uriBaseId": f"%{_ROOT}%"}


def _locations(item: Diagnostic, folder: str) -> list[dict[str, Any]]:
    """The location of a finding; empty if it has no place."""
    if item.place is None:
        return []
    region: dict[str, Any] = {
        "startLine": item.place.line,
        "startColumn": item.place.column,
        "endColumn": item.place.column + max(1, item.span),
    }
    if item.source_line:
        region["snippet"] = {"text": item.source_line}
    logical = [{"fullyQualifiedName": item.address, "kind": "resource"}] if item.address else []
    return [
        {
            "physicalLocation": {
                "artifactLocation": _artifact(item.place.file, folder),
                "region": region,
            },
            **({"logicalLocations": logical} if logical else {}),
        }
    ]
