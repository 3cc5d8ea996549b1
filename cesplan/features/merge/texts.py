"""
Texts that both sides changed: one text with both edits, or their collisions, or why they cannot be combined.
Text that a program reads must still parse: edits of code that are valid on their own can be invalid together.
"""

from cesplan.config.checks.open_api_reading import read_open_api
from cesplan.config.checks.python_code import parse
from cesplan.domain.text.text_merge import Collided, Merged, finest_of, merge_text
from cesplan.model.marks import Choices, Form, Sensitive
from cesplan.model.scalars import Scalar
from cesplan.model.spec import FieldSpec


def is_text(known: FieldSpec | None) -> bool:
    """True for fields whose text can be merged: not a reference, not a fixed format, not a secret."""
    if known is None:
        return True
    is_word = known.is_resource_name or any(known.mark(kind) for kind in (Choices, Form, Sensitive))
    return known.scalar is Scalar.STRING and not is_word


def merge_field(known: FieldSpec | None, base: str, tree: str, live: str) -> Merged | Collided:
    """Merge a text of a field, taken apart as far as its language allows."""
    return merge_text(base, tree, live, finest=finest_of(known.language if known is not None else ""))


def why_unfit(known: FieldSpec | None, text: str, tree: str, live: str) -> str:
    """Why a merged text cannot be used although both sides are valid; empty if it can."""
    language = known.language if known is not None else ""
    if _fault(language, text) and not _fault(language, tree) and not _fault(language, live):
        return f"both edits together are not valid {_NAMES[language]}"
    return ""


_NAMES = {"python": "Python", "yaml": "OpenAPI"}


def _fault(language: str, text: str) -> bool:
    match language:
        case "python":
            return parse(text).fault is not None
        case "yaml":
            return read_open_api(text).fault is not None
    return False
