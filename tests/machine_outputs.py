"""What commands write for machines, checked against the shapes that are published."""

import json
from collections.abc import Sequence
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from cesplan.render.machine.formats.events import EVENTS
from cesplan.render.machine.formats.schemas import document_schema
from cesplan.workflow.reference.schemas import REPORTS

_COMMANDS = {
    "apply": "apply",
    "convert": "convert",
    "drift": "drift",
    "evaluate": "evaluate",
    "graph": "graph",
    "history": "history",
    "init": "init",
    "list": "list",
    "plan": "plan",
    "policy": "policy_test",
    "promote": "promote",
    "pull": "pull",
    "release": "release",
    "render": "render",
    "rollback": "rollback",
    "score": "score",
    "show": "plan",
    "smoke": "smoke",
    "validate": "validate",
}
"""The first word of a command line, and the report that it writes."""


def closed(schema: Any) -> Any:
    """A schema in which objects with known members have no others: what is not documented is not written."""
    match schema:
        case dict():
            inner = {name: closed(item) for name, item in schema.items()}
            is_shape = schema.get("type") == "object" and "properties" in schema and "allOf" not in schema
            return {**inner, "additionalProperties": False} if is_shape else inner
        case list():
            return [closed(item) for item in schema]
    return schema


@cache
def _validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(closed(document_schema(REPORTS[name])))


def check_document(name: str, text: str) -> None:
    """A document fits its schema, has no other members, and is the same text when it is read and written."""
    assert [error.message for error in _validator(name).iter_errors(json.loads(text))] == []
    assert REPORTS[name].model_validate_json(text).text() == text


def check_lines(text: str) -> None:
    """Every line is an event of a known type, and has the members of one of its shapes."""
    for line in text.splitlines():
        members = json.loads(line)
        type_ = members.pop("type")
        read = [
            shape.model_validate_json(json.dumps(members)) for shape in EVENTS[type_] if _fits(shape, members)
        ]
        assert [json.loads(json.dumps(item.document())) for item in read] == [members], line


def check_output(arguments: Sequence[str], text: str) -> None:
    """What a command line with `--format json` or `--format jsonl` wrote to stdout."""
    wanted = arguments[arguments.index("--format") + 1] if "--format" in arguments else ""
    if wanted == "jsonl":
        check_lines(text)
    elif wanted == "json" and text:
        check_document(_report(arguments, json.loads(text)), text)


def _report(arguments: Sequence[str], document: Any) -> str:
    if "error" in document:
        return "stale" if "stale" in document else "error"
    if "--export" in arguments and arguments[0] == "evaluate":
        return "evaluate_export"
    if "--explain" in arguments or "explain" in arguments:
        return "explain" if "code" in document else "explain_list"
    if "--merge" in arguments:
        return "merge"
    if "pull" in arguments and "--all" in arguments:
        return "pull_all"
    if "pull" in arguments and "apps" in document:
        return "list"
    if "pull" in arguments and "--layout" in arguments:
        return "convert"
    if "cron" in arguments:
        return "ci_init"
    if "ci" in arguments:
        return "ci_compare" if "compare" in arguments else "ci_init"
    return next(_COMMANDS[word] for word in arguments if word in _COMMANDS)


def _fits(shape: Any, members: Any) -> bool:
    told = shape.model_fields.get("outcome")
    return told is None or members["outcome"] in told.annotation.__args__
