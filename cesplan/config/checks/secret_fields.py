"""CES073: tokens that are written out instead of naming a session variable. The value is never shown."""

from collections.abc import Iterator

from cesplan.config.checks.walking import FileWalk, Visit
from cesplan.config.manifest import AppTree, Finding
from cesplan.domain.field_path import FieldPath
from cesplan.domain.value import Secret
from cesplan.model.marks import Secrecy

_FIELDS = FileWalk(lambda _, field: field.secrecy is Secrecy.VARIABLE_ONLY)


def check_secret_fields(tree: AppTree) -> list[Finding]:
    """Anything but the name of a variable would be a token in plain text."""
    return [
        finding
        for visit in _FIELDS.over(*tree.all())
        for path, text in _texts(visit)
        if (finding := _finding(visit, path, text))
    ]


def _texts(visit: Visit) -> Iterator[tuple[FieldPath, str]]:
    """The texts of a field, including secrets: a secret in the wrong place is what this check looks for."""
    for path, value in visit.parts():
        text = value.text if isinstance(value, Secret) else value
        if isinstance(text, str) and text:
            yield path, text


def _finding(visit: Visit, path: FieldPath, text: str) -> Finding | None:
    if not visit.field.is_secret(text):
        return None
    summary = f"`{visit.field.name}` must be `$context.variables.<name>`"
    detail = "The service inserts the value of that variable. Any other value would be a plaintext token."
    return visit.finding("CES073", summary, detail, None, path=path)
