"""CES069: invalid, duplicate, or unsupported languages."""

import re
from collections.abc import Iterator
from typing import Any

from cesplan.config.checks.placing import shown
from cesplan.config.checks.walking import inside, map_entries, text_at, texts_at
from cesplan.config.manifest import AppTree, Finding
from cesplan.domain.field_path import FieldPath

_CODE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*")
"""The syntax of a language tag (RFC 5646), without checking the registry."""
_SUPPORTED = ("languageSettings", "supportedLanguageCodes")
_DEFAULT = ("languageSettings", "defaultLanguageCode")
_MAPS = (
    ("audioProcessingConfig", "synthesizeSpeechConfigs"),
    ("errorHandlingSettings", "fallbackResponseConfig", "customFallbackMessages"),
)


def check_languages(tree: AppTree) -> list[Finding]:
    """Tags must be valid and listed once, and settings by language must be for a language of the app."""
    return [
        Finding(code="CES069", file=tree.app, path=path, summary=what, detail=detail)
        for path, what, detail in (*_listed(tree.app.body), *_used(tree.app.body))
    ]


def _listed(body: Any) -> Iterator[tuple[FieldPath, str, str]]:
    default = text_at(body, *_DEFAULT)
    if default and not _CODE.fullmatch(default):
        yield FieldPath(_DEFAULT), *_misshapen(default)
    seen = {default.lower()}
    for path, code in texts_at(body, *_SUPPORTED):
        if not _CODE.fullmatch(code):
            yield path, *_misshapen(code)
        elif code.lower() in seen:
            detail = "The list contains each language other than the default once."
            yield path, f"the language {shown(code)} is listed twice", detail
        seen.add(code.lower())


def _used(body: Any) -> Iterator[tuple[FieldPath, str, str]]:
    """Settings for a language that the app does not support. Not checked if the app names no languages."""
    codes = [text_at(body, *_DEFAULT), *(code for _, code in texts_at(body, *_SUPPORTED))]
    known = {code.lower() for code in codes if code}
    for names in _MAPS if text_at(body, *_DEFAULT) else ():
        for path, _ in map_entries(FieldPath(names), inside(body, *names)):
            code = str(getattr(path.segments[-1], "key", ""))
            if code.lower() not in known:
                detail = "Add it to `languageSettings.supportedLanguageCodes`, or remove it here."
                yield path, f"the app does not support {shown(code)}", detail


def _misshapen(code: str) -> tuple[str, str]:
    return f"`{shown(code)}` is not a valid language code", "Use a tag such as en-US, fr-CA, or pt."
