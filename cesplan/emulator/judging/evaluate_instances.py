"""The method evaluateInstances: one request, checked like in the service, and its result."""

import json
from collections.abc import Mapping
from typing import Any, assert_never

from cesplan.emulator.contract import Rpc
from cesplan.emulator.errors import Refused
from cesplan.emulator.http.calls import Call
from cesplan.emulator.judging.inputs import BOTH, INPUTS, TRAJECTORY, Computed, Judged
from cesplan.emulator.judging.script import JudgeScript, Said
from cesplan.emulator.schema.names import Target
from cesplan.emulator.switches import Switches

NAME = "EvaluateInstances"
_RPC = Rpc(
    name=NAME,
    verb="POST",
    path="projects/*/locations/*:evaluateInstances",
    action="custom",
    kind="evaluationService",
    request="EvaluateInstancesRequest",
    response="EvaluateInstancesResponse",
)
_BESIDE = {"v1": {"location"}, "v1beta1": {"location", "autoraterConfig"}}
_OTHER = ("metrics", "metricSources", "instance")
_AUTORATER = {"samplingCount", "flipEnabled", "autoraterModel", "generationConfig"}
_MOST_SAMPLES = 32


def route(verb: str, path: str) -> tuple[Rpc, Target] | None:
    """Return the method and its target; None for any other route."""
    version, _, rest = path.lstrip("/").partition("/")
    name, _, custom = rest.partition(":")
    parts = name.split("/")
    is_place = len(parts) == 4 and parts[::2] == ["projects", "locations"] and all(parts)
    if verb != "POST" or custom != "evaluateInstances" or version not in BOTH or not is_place:
        return None
    return _RPC, Target(version=version, parent="/".join(parts[:2]), kind=_RPC.kind, name=name)


class Judging:
    """Answers evaluateInstances. `script` has the answers of judges."""

    def __init__(self, switches: Switches) -> None:
        self._switches = switches
        self.script = JudgeScript()

    def answer(self, call: Call) -> str:
        """Return the JSON text of the response. Raise Refused for an error."""
        call.refuse_query_beside(frozenset())
        if not isinstance(call.body, dict):
            raise Refused("INVALID_ARGUMENT", "The request has no body.")
        name, value = _input(call.body, call.target.version)
        found = INPUTS[name]
        match found:
            case Computed():
                return json.dumps(self._computed(found, value))
            case Judged():
                return json.dumps(self._judged(found, value))
            case _:
                assert_never(found)

    def _computed(self, metric: Computed, value: Mapping[str, Any]) -> dict[str, Any]:
        _check_names(value, {"metricSpec", "instances"}, metric.name)
        spec = _object(value.get("metricSpec"), "metric_spec", set(metric.spec))
        instances = value.get("instances")
        if not isinstance(instances, list) or not instances:
            raise Refused("INVALID_ARGUMENT", "instances: the required field is not set.")
        scores = [metric.metric(_instance(item, metric), spec, self._switches) for item in instances]
        values = [{"score": score} for score in scores]
        return {f"{metric.name}Results": {f"{metric.name}MetricValues": values}}

    def _judged(self, metric: Judged, value: Mapping[str, Any]) -> dict[str, Any]:
        _check_names(value, {"metricSpec", "instance"}, metric.name)
        spec = _object(value.get("metricSpec"), "metric_spec", set(metric.spec))
        instance = _object(value.get("instance"), "instance", set(metric.instance))
        if not instance:
            raise Refused("INVALID_ARGUMENT", "instance: the required field is not set.")
        scripted = self.script.said(metric.name, _text(spec, instance))
        if scripted is None:
            text = "A judge needs a language model, and the emulator has none: start it with --judges FILE."
            raise Refused("UNIMPLEMENTED", text)
        if scripted.error is not None:
            raise scripted.error
        return {f"{metric.name}Result": _result(spec, scripted)}


def _input(body: Mapping[str, Any], version: str) -> tuple[str, Mapping[str, Any]]:
    """Return the only input of a request, with its name. Raise Refused for none, several, or an unknown one."""
    for name in body:
        if name in _OTHER and version != "v1":
            raise Refused("UNIMPLEMENTED", f"{name} is not served: send one input.")
        if name in INPUTS and version in INPUTS[name].versions:
            continue
        if name not in _BESIDE[version]:
            raise Refused("INVALID_ARGUMENT", f"Invalid JSON payload received. Unknown name '{name}'.")
    found = [name for name in body if name in INPUTS]
    if len(found) != 1:
        raise Refused("INVALID_ARGUMENT", "metric_inputs: exactly one of its members must be set.")
    _check_autorater(body.get("autoraterConfig", {}))
    value = body[found[0]]
    if not isinstance(value, dict):
        raise Refused("INVALID_ARGUMENT", f"{found[0]}: an object is expected.")
    return found[0], value


def _check_autorater(config: Any) -> None:
    _object(config, "autorater_config", _AUTORATER)
    count = config.get("samplingCount", 1)
    if not isinstance(count, int) or not 1 <= count <= _MOST_SAMPLES:
        text = f"autorater_config.sampling_count: a number from 1 to {_MOST_SAMPLES} is expected."
        raise Refused("INVALID_ARGUMENT", text)


def _instance(value: Any, metric: Computed) -> Mapping[str, Any]:
    instance = _object(value, "instances", set(metric.instance))
    for name, kind in metric.instance.items():
        item = instance.get(name)
        expected: type = dict if kind == TRAJECTORY else str
        if item is None:
            raise Refused("INVALID_ARGUMENT", f"instances.{name}: the required field is not set.")
        if not isinstance(item, expected):
            raise Refused("INVALID_ARGUMENT", f"instances.{name}: a {kind} is expected.")
        if isinstance(item, dict):
            _check_trajectory(item, name)
    return instance


def _check_trajectory(value: Mapping[str, Any], name: str) -> None:
    _check_names(value, {"toolCalls"}, name)
    calls = value.get("toolCalls", [])
    if not isinstance(calls, list):
        raise Refused("INVALID_ARGUMENT", f"{name}.tool_calls: a list is expected.")
    for call in calls:
        _object(call, f"{name}.tool_calls", {"toolName", "toolInput"})
        if not all(isinstance(text, str) for text in call.values()):
            raise Refused("INVALID_ARGUMENT", f"{name}.tool_calls: tool_name and tool_input must be strings.")


def _text(spec: Mapping[str, Any], instance: Mapping[str, Any]) -> str:
    """Return the text that a model would get: templates with the instance's values, or all texts."""
    template, given = spec.get("metricPromptTemplate"), instance.get("jsonInstance")
    if not isinstance(template, str) or not isinstance(given, str):
        return "\n".join(str(value) for value in instance.values())
    try:
        values = json.loads(given)
    except ValueError as error:
        raise Refused("INVALID_ARGUMENT", "instance.json_instance: it is not JSON.") from error
    if not isinstance(values, dict) or not all(isinstance(value, str) for value in values.values()):
        raise Refused("INVALID_ARGUMENT", "instance.json_instance: an object of strings is expected.")
    for name, value in values.items():
        template = template.replace("{" + name + "}", value)
    return str(template)


def _result(spec: Mapping[str, Any], scripted: Said) -> dict[str, Any]:
    if (spec.get("customOutputFormatConfig") or {}).get("returnRawOutput"):
        return {
            "customOutput": {"rawOutputs": {"rawOutput": [] if scripted.answer is None else [scripted.answer]}}
        }
    score = {} if scripted.score is None else {"score": scripted.score}
    return {**score, **({"explanation": scripted.explanation} if scripted.explanation else {})}


def _object(value: Any, where: str, known: set[str]) -> Mapping[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise Refused("INVALID_ARGUMENT", f"{where}: an object is expected.")
    _check_names(value, known, where)
    return value


def _check_names(value: Mapping[str, Any], known: set[str], where: str) -> None:
    for name in value:
        if name not in known:
            text = f"Invalid JSON payload received. Unknown name '{name}' at '{where}'."
            raise Refused("INVALID_ARGUMENT", text)
