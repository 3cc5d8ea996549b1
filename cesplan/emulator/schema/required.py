"""Required fields, checked in the merged result of a write, and in the requests of custom methods."""

from cesplan.emulator.contract import load
from cesplan.emulator.errors import Violation
from cesplan.emulator.schema.messages import Body
from cesplan.emulator.schema.walking import elements

# Required by the protos, but missing in real apps that the service exported (docs/api-facts.md).
NOT_INSISTED_ON = {
    ("App.VariableDeclaration", "description"),
    ("DataStoreTool.EngineSource", "engine"),
    ("Evaluation.Scenario", "rubrics"),
    ("Evaluation.Scenario", "scenarioExpectations"),
    ("Evaluation.ScenarioExpectation.ToolExpectation", "mockToolResponse"),
    ("TriggerAction.GenerativeAnswer", "prompt"),
}


def missing(message: str, body: Body, path: str = "", *, nested: bool = True) -> list[Violation]:
    """Return a violation for each required field that the body lacks, at any depth if `nested`."""
    found = []
    for name, spec in load().messages[message].items():
        where = f"{path}.{name}" if path else name
        if spec.output_only:
            continue
        inner = spec.value or spec.type
        if nested and name in body and inner in load().messages:
            for item, place in elements(spec, body[name], where):
                found += missing(inner, item, place)
        if name not in body and spec.required and (message, name) not in NOT_INSISTED_ON:
            found.append(Violation(field=where, description="the field is required"))
    return found
