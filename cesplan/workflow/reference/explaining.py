"""Every code that cesplan reports, with its page."""

from collections.abc import Mapping

from cesplan.config.codes import CODES
from cesplan.domain.diagnostic import Code
from cesplan.domain.errors import UsageError
from cesplan.features.typed_diffs.codes import RULES
from cesplan.features.weakening.codes import WEAKENING_CODES


def all_codes() -> Mapping[str, Code]:
    """Findings of `validate`, interface changes, and ways to weaken protection, in order."""
    found: dict[str, Code] = {**CODES, **RULES, **WEAKENING_CODES}
    return {code: found[code] for code in sorted(found)}


def code_named(text: str) -> Code:
    """The code with this name, case-insensitive. Raises UsageError if there is none."""
    known = all_codes().get(text.strip().upper())
    if known is None:
        raise UsageError(summary=f"Unknown code `{text}`.", detail="To list all codes:\n\n    cesplan explain")
    return known
