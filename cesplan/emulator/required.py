"""Required fields, looked for in the merged result of a write."""

from collections.abc import Iterator
from typing import Any

from cesplan.emulator.contract import Contract, Field
from cesplan.emulator.errors import Violation
from cesplan.emulator.messages import Body

# Required by the protos, missing in real apps (FACTS §2).
NOT_INSISTED_ON = {
    ("App.VariableDeclaration", "description"),
    ("TriggerAction.GenerativeAnswer", "prompt"),
    ("Evaluation.Scenario", "scenarioExpectations"),
    ("Evaluation.Scenario", "rubrics"),
}


def missing(contract: Contract, message: str, body: Body, path: str = "") -> list[Violation]:
    """Return a violation for each required field that the body lacks, at any depth."""
    found = []
    for name, spec in contract.messages[message].items():
        where = f"{path}.{name}" if path else name
        if spec.output_only:
            continue
        if name in body:
            for inner, place in _messages_in(contract, spec, body[name], where):
                found += missing(contract, spec.value or spec.type, inner, place)
        elif spec.required and (message, name) not in NOT_INSISTED_ON:
            found.append(Violation(field=where, description="the field is required"))
    return found


def _messages_in(contract: Contract, spec: Field, value: Any, where: str) -> Iterator[tuple[Body, str]]:
    if (spec.value or spec.type) not in contract.messages:
        return
    if spec.is_map:
        yield from ((item, f"{where}[{key}]") for key, item in value.items())
    elif spec.repeated:
        yield from ((item, f"{where}[{index}]") for index, item in enumerate(value))
    else:
        yield value, where
