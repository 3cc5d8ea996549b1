"""CES047: the functions that replace a tool in fake mode."""

import re
from collections.abc import Iterator

from cesplan.config.checks.open_api_reading import tool_id_of
from cesplan.config.checks.placing import START
from cesplan.config.checks.python_code import FIXED_PARAMETERS, Function, PythonText, python_at
from cesplan.config.checks.tool_names import is_open, offered_ids
from cesplan.config.manifest import AppTree, Finding, ResourceFile
from cesplan.config.suggestions import nearest
from cesplan.domain.field_path import FieldPath

CATCH_ALL = "fake_tool_call"
PARAMETERS = ("tool", "input", "callback_context")
_PATH = FieldPath(("toolFakeConfig", "codeBlock", "pythonCode"))
_NOT_IN_NAMES = re.compile(r"\W")


def check_tool_fakes(tree: AppTree) -> list[Finding]:
    """The service calls `fake_tool_call`, or `fake_<tool id>` for one tool."""
    found: list[Finding] = []
    for file in (*tree.of("tools"), *tree.of("toolsets")):
        text = python_at(file.body, *_PATH.fields)
        if text:
            found += _findings(file, text)
    return found


def _findings(file: ResourceFile, text: PythonText) -> Iterator[Finding]:
    fakes = [item for item in text.functions if item.name.startswith("fake_")]
    if not fakes:
        detail = f"Define `def {CATCH_ALL}({', '.join(PARAMETERS)}):`, or a `fake_<tool id>` for each tool."
        yield _finding(file, None, f"neither `{CATCH_ALL}` nor a `fake_<tool id>` is defined", detail)
    for fake in fakes:
        if fake.signature != PARAMETERS:
            yield _finding(file, fake, fake.instead_of(PARAMETERS), FIXED_PARAMETERS)
    if not is_open(file):
        yield from _of_no_operation(file, fakes)


def _of_no_operation(file: ResourceFile, fakes: list[Function]) -> Iterator[Finding]:
    known = {CATCH_ALL, *(f"fake_{_NOT_IN_NAMES.sub('_', tool_id)}" for tool_id in offered_ids(file))}
    ids = {*map(tool_id_of, known)}
    for fake in fakes:
        if len(known) > 1 and tool_id_of(fake.name) not in ids:
            what = f"`{fake.name}` does not match an operation of this toolset"
            detail = (
                f"Name the function of one tool `fake_` plus its operationId; `{CATCH_ALL}` handles all others."
            )
            yield _finding(file, fake, what, detail, nearest(fake.name, known))


def _finding(
    file: ResourceFile, fake: Function | None, summary: str, detail: str, suggestion: str = ""
) -> Finding:
    return Finding(
        code="CES047",
        file=file,
        path=_PATH,
        summary=summary,
        detail=detail,
        suggestion=suggestion,
        place=fake.place if fake else START,
    )
