"""CES073, CES074: what may stand in fields that lead to secrets. Their values are never shown."""

import re
from collections.abc import Iterator

from cesplan.config.checks.walking import Visit, Walk, all_files, list_elements, map_entries
from cesplan.config.tree import AppTree, Finding
from cesplan.domain.field_path import FieldPath
from cesplan.domain.value import Secret
from cesplan.model.marks import Secrecy, Sensitive
from cesplan.model.spec import FieldSpec

VARIABLE = re.compile(r"\$context\.variables\.([A-Za-z_][A-Za-z0-9_]*)")
_SECRET_VERSION = re.compile(r"projects/[^/\s]+/secrets/[^/\s]+/versions/[^/\s]+")


def secrecy(field: FieldSpec) -> Secrecy | None:
    """Why a field must be handled with care, if it must."""
    mark = field.mark(Sensitive)
    return mark.secrecy if mark else None


_FIELDS = Walk(lambda _, field: secrecy(field) in (Secrecy.VARIABLE_ONLY, Secrecy.SECRET_NAME))


def check_secret_fields(tree: AppTree) -> list[Finding]:
    """Tokens are named by a session variable, keys by a secret version; neither is written out."""
    return [
        finding
        for visit in _FIELDS.over(*all_files(tree))
        for path, text in _texts(visit)
        if (finding := _finding(visit, path, text))
    ]


def _texts(visit: Visit) -> Iterator[tuple[FieldPath, str]]:
    """The texts of a field; here those of secrets too, for a secret in the wrong place is the point."""
    match visit.value:
        case dict():
            parts = map_entries(visit.path, visit.value)
        case list():
            parts = list_elements(visit.path, visit.value)
        case _:
            parts = iter([(visit.path, visit.value)])
    for path, value in parts:
        text = value.text if isinstance(value, Secret) else value
        if isinstance(text, str) and text:
            yield path, text


def _finding(visit: Visit, path: FieldPath, text: str) -> Finding | None:
    name = visit.field.name
    if secrecy(visit.field) is Secrecy.VARIABLE_ONLY:
        if VARIABLE.fullmatch(text):
            return None
        what = f"`{name}` takes `$context.variables.<name>` and nothing else"
        detail = (
            "The service puts the value of that session variable in. Anything else would be a token in clear."
        )
        return Finding(code="CES073", file=visit.file, path=path, summary=what, detail=detail)
    if _SECRET_VERSION.fullmatch(text):
        return None
    what = f"`{name}` takes the name of a secret version"
    detail = (
        "Write `projects/<project>/secrets/<secret>/versions/<version>`; the secret stays in Secret Manager."
    )
    if "-----BEGIN" in text:
        detail = f"This looks like the key itself. {detail}"
    return Finding(code="CES074", file=visit.file, path=path, summary=what, detail=detail)
