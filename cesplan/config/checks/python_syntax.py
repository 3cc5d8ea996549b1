"""CES040: Python syntax errors."""

from cesplan.config.checks.placing import line_in_words, shown
from cesplan.config.checks.python_code import PYTHON, parse
from cesplan.config.checks.walking import FileWalk, Visit
from cesplan.config.manifest import AppTree, Finding

_CODE = FileWalk(lambda _, field: field.language == "python")


def check_python_syntax(tree: AppTree) -> list[Finding]:
    """An import drops Python that does not parse, without an error (docs/api-facts.md)."""
    return [
        finding
        for visit in _CODE.over(*tree.all())
        if isinstance(visit.value, str) and (finding := _finding(visit, visit.value))
    ]


def _finding(visit: Visit, code: str) -> Finding | None:
    fault = parse(code).fault
    if fault is None:
        return None
    where = line_in_words(visit.file, visit.path, code, fault.place)
    detail = f"Parsed with the grammar of {PYTHON}. Callbacks and tools with syntax errors never run."
    return visit.finding("CES040", f"Python syntax error: {shown(fault.message)}{where}", detail, fault.place)
