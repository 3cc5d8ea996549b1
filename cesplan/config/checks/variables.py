"""CES075, CES076: variables that are declared twice, and names of undeclared variables."""

from collections.abc import Iterator
from typing import Any

from cesplan.config.checks.facts import Fact
from cesplan.config.checks.placing import shown
from cesplan.config.checks.walking import FileWalk, Visit, map_entries, messages_at, text_at
from cesplan.config.manifest import AppTree, Finding
from cesplan.config.repeated import repeated
from cesplan.config.suggestions import nearest
from cesplan.domain.field_path import FieldPath
from cesplan.model.marks import CONTEXT_PREFIX, Secrecy
from cesplan.model.spec import FieldSpec

_BY_KEY = frozenset(
    {
        ("Agent.RemoteDialogflowAgent", "inputVariableMapping"),
        ("Chunk", "defaultVariables"),
        ("Chunk", "updatedVariables"),
        ("Evaluation.GoldenExpectation", "updatedVariables"),
        ("Evaluation.Scenario", "variableOverrides"),
        ("SessionInput", "variables"),
    }
)
"""Fields whose keys are variables."""
_BY_VALUE = frozenset(
    {
        ("Agent.RemoteDialogflowAgent", "outputVariableMapping"),
        ("Agent.RemoteDialogflowAgent", "languageCodeVariable"),
    }
)


def _names_variables(message: str, field: FieldSpec) -> bool:
    row = (message, field.name)
    return row in _BY_KEY or row in _BY_VALUE or _is_token(field)


_NAMING = FileWalk(_names_variables)


def declared_variables(tree: AppTree) -> frozenset[str]:
    """The names of the variables that the app declares. The server may predefine others."""
    rows = messages_at(tree.app.body, "variableDeclarations")
    return frozenset(name for _, row in rows if (name := text_at(row, "name")))


def check_declared_once(tree: AppTree) -> list[Finding]:
    """A name must be declared only once: only one declaration can take effect."""
    rows = messages_at(tree.app.body, "variableDeclarations")
    return [
        Finding(
            code="CES075",
            file=tree.app,
            path=path / "name",
            summary=f"the variable `{shown(text_at(row, 'name'))}` is declared twice",
            detail=f"The first declaration is {first}. Keep one of them.",
        )
        for (path, row), (first, _) in repeated(rows, lambda item: text_at(item[1], "name"))
    ]


def check_named_variables(tree: AppTree) -> list[Finding]:
    """Mappings, overrides, and tokens must name variables of the app."""
    known = declared_variables(tree)
    return [
        _undeclared(visit, path, name, nearest(name, known))
        for file in tree.all()
        if not known.issuperset(_NAMED.of(file))
        for visit in _NAMING.over(file)
        for path, name in _named(visit)
        if name not in known
    ]


def _undeclared(visit: Visit, path: FieldPath, name: str, correction: str) -> Finding:
    summary = f"the app does not declare a variable `{shown(name)}`"
    detail = "Declare it under `variableDeclarations` in app.yaml, unless the service predefines it."
    suggestion = _suggestion(visit, correction)
    return visit.finding("CES076", summary, detail, None, path=path, suggestion=suggestion)


def _named(visit: Visit) -> Iterator[tuple[FieldPath, str]]:
    if (visit.message, visit.field.name) in _BY_KEY:
        for path, _ in map_entries(visit.path, visit.value):
            yield path, str(getattr(path.segments[-1], "key", ""))
        return
    for path, value in visit.elements():
        if name := _variable(visit, value):
            yield path, name


_NAMED = Fact(
    "variables", lambda file: sorted({name for visit in _NAMING.over(file) for _, name in _named(visit)})
)


def _variable(visit: Visit, value: Any) -> str:
    if not isinstance(value, str) or visit.field.is_secret(value):
        return ""
    return value.removeprefix(CONTEXT_PREFIX) if _is_token(visit.field) else value


def _suggestion(visit: Visit, name: str) -> str:
    return f"{CONTEXT_PREFIX}{name}" if name and _is_token(visit.field) else name


def _is_token(field: FieldSpec) -> bool:
    return field.secrecy is Secrecy.VARIABLE_ONLY
