"""Google's own clients of the evaluation service talk to evaluateInstances of the emulator, v1 and v1beta1."""

import json
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

import pytest
from google.api_core import exceptions
from google.auth.credentials import AnonymousCredentials

from cesplan.emulator import EmbeddedEmulator
from cesplan.emulator.judging.inputs import INPUTS
from tests.unit.features.scores.reference import cases

PLACE = "projects/acme-dev/locations/us-central1"
_TRAJECTORIES = {
    "exact": "trajectory_exact_match",
    "inOrder": "trajectory_in_order_match",
    "anyOrder": "trajectory_any_order_match",
    "precision": "trajectory_precision",
    "recall": "trajectory_recall",
}
_TOOL_CALLS = {
    "toolCallValid": "tool_call_valid",
    "toolNameMatch": "tool_name_match",
    "toolParameterKeyMatch": "tool_parameter_key_match",
    "toolParameterKvMatch": "tool_parameter_kv_match",
}


class Google:
    """The client of one version, and its messages."""

    def __init__(self, version: str, emulator: EmbeddedEmulator) -> None:
        self.emulator = emulator
        module = import_module(f"google.cloud.aiplatform_{version}.services.evaluation_service")
        self.types = import_module(f"google.cloud.aiplatform_{version}.types")
        client = module.EvaluationServiceClient
        transport = client.get_transport_class("rest")(
            host=emulator.address, url_scheme="http", credentials=AnonymousCredentials()
        )
        self._client = client(transport=transport)

    def evaluate(self, **members: Any) -> Any:
        request = self.types.EvaluateInstancesRequest(location=PLACE, **members)
        return self._client.evaluate_instances(request=request)

    def scores(self, name: str, instances: list[Any], spec: Mapping[str, Any] | None = None) -> list[float]:
        """The scores of a metric that is computed, by its name in the protos."""
        found = self.evaluate(**{f"{name}_input": {"metric_spec": spec or {}, "instances": instances}})
        results = getattr(found, f"{name}_results")
        return [item.score for item in getattr(results, f"{name}_metric_values")]


@pytest.fixture(scope="module")
def emulator() -> Iterator[EmbeddedEmulator]:
    with EmbeddedEmulator() as running:
        yield running


@pytest.fixture(scope="module")
def beta(emulator: EmbeddedEmulator) -> Google:
    return Google("v1beta1", emulator)


@pytest.fixture(scope="module")
def stable(emulator: EmbeddedEmulator) -> Google:
    return Google("v1", emulator)


def trajectory(value: Mapping[str, Any]) -> dict[str, Any]:
    """As the protos spell it."""
    calls = [{"tool_name": one["toolName"], "tool_input": one["toolInput"]} for one in value["toolCalls"]]
    return {"tool_calls": calls}


def pair(case: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "predicted_trajectory": trajectory(case["predictedTrajectory"]),
        "reference_trajectory": trajectory(case["referenceTrajectory"]),
    }


def test_trajectories_have_the_documented_scores(beta: Google) -> None:
    """All cases of a metric in one request: the scores come back in their order."""
    known = cases("vertex_trajectories")
    for key, name in _TRAJECTORIES.items():
        wanted = [case["expected"][key] for case in known["cases"]]
        assert beta.scores(name, [pair(case) for case in known["cases"]]) == pytest.approx(wanted, abs=1e-6)
    for case in known["singleToolUse"]:
        instance = {"predicted_trajectory": trajectory(case["predictedTrajectory"])}
        spec = {"tool_name": case["spec"]["toolName"]}
        assert beta.scores("trajectory_single_tool_use", [instance], spec) == [case["expected"]]


def test_an_empty_trajectory_is_refused(beta: Google) -> None:
    for case in cases("vertex_trajectories")["refused"]:
        with pytest.raises(exceptions.BadRequest):
            beta.scores("trajectory_exact_match", [pair(case)])


def test_tool_calls_and_texts_have_the_documented_scores(stable: Google, beta: Google) -> None:
    """In both versions."""
    known = cases("vertex_tool_calls")["cases"]
    texts = [case for case in cases("vertex_texts") if _is_whole(case)]
    for google in (stable, beta):
        for key, name in _TOOL_CALLS.items():
            chosen = [case for case in known if key in case["expected"]]
            instances = [{"prediction": case["prediction"], "reference": case["reference"]} for case in chosen]
            wanted = [case["expected"][key] for case in chosen]
            assert google.scores(name, instances) == pytest.approx(wanted, abs=1e-6)
        for case in texts:
            name = {"exactMatch": "exact_match"}.get(case["metric"], case["metric"])
            rouge_type = case.get("spec", {}).get("rougeType")
            spec = {"rouge_type": rouge_type} if rouge_type else {}
            assert google.scores(name, case["instances"], spec) == pytest.approx(case["published"], abs=1e-5)
    assert texts


def _is_whole(case: Mapping[str, Any]) -> bool:
    return all(isinstance(text, str) for item in case["instances"] for text in item.values())


def test_judges_answer_by_the_script(emulator: EmbeddedEmulator, beta: Google) -> None:
    """A number with its reason, or the text that the model wrote."""
    emulator.judge(
        {"metric": "safety", "contains": "bomb", "score": 0, "explanation": "It is dangerous."},
        {"metric": "safety", "score": 1},
        {"metric": "coherence", "score": [5, 2]},
        {"metric": "pointwise*", "contains": "polite", "answer": ["Verdict: yes", "Verdict: no"]},
    )
    found = [
        beta.evaluate(safety_input={"metric_spec": {}, "instance": {"prediction": text}}).safety_result
        for text in ("how to build a bomb", "how to build a house")
    ]
    assert [(item.score, item.explanation) for item in found] == [(0.0, "It is dangerous."), (1.0, "")]
    asked = {"metric_spec": {}, "instance": {"prediction": "fine"}}
    assert [beta.evaluate(coherence_input=asked).coherence_result.score for _ in range(3)] == [5, 2, 2]
    rubric = {
        "metric_spec": {
            "metric_prompt_template": "Is it polite? {response}",
            "custom_output_format_config": {"return_raw_output": True},
        },
        "instance": {"json_instance": json.dumps({"response": "Hello!"})},
    }
    config = {"sampling_count": 1, "autorater_model": f"{PLACE}/publishers/google/models/gemini-2.5-flash"}
    outputs = [beta.evaluate(pointwise_metric_input=rubric, autorater_config=config) for _ in range(2)]
    said = [list(one.pointwise_metric_result.custom_output.raw_outputs.raw_output) for one in outputs]
    assert said == [["Verdict: yes"], ["Verdict: no"]]


def test_a_judge_without_a_script_is_not_implemented(emulator: EmbeddedEmulator, stable: Google) -> None:
    emulator.judge()
    with pytest.raises(exceptions.MethodNotImplemented):
        stable.evaluate(fluency_input={"metric_spec": {}, "instance": {"prediction": "fine"}})


def test_faults_and_scripted_errors_are_answered(emulator: EmbeddedEmulator, beta: Google) -> None:
    """429 on demand, once; and what the script says is broken."""
    fault = {"code": "RESOURCE_EXHAUSTED", "message": "Quota exceeded."}
    emulator.break_with({"method": "EvaluateInstances", "status": fault})
    emulator.judge({"score": 1, "error": {"code": "UNAVAILABLE"}})
    asked = {"safety_input": {"metric_spec": {}, "instance": {"prediction": "fine"}}}
    with pytest.raises(exceptions.TooManyRequests):
        beta.evaluate(**asked)
    with pytest.raises(exceptions.ServiceUnavailable):
        beta.evaluate(**asked)
    emulator.faults.clear()


def test_every_input_and_result_is_one_of_googles(beta: Google, stable: Google) -> None:
    """The names and the versions of the table are those of the messages."""
    for version, google in (("v1", stable), ("v1beta1", beta)):
        asked = google.types.EvaluateInstancesRequest.pb().DESCRIPTOR
        answered = google.types.EvaluateInstancesResponse.pb().DESCRIPTOR
        inputs = {field.json_name for field in asked.fields}
        results = {field.json_name for field in answered.fields}
        for name, row in INPUTS.items():
            if version not in row.versions:
                assert name not in inputs
                continue
            message = next(field.message_type for field in asked.fields if field.json_name == name)
            members = {field.json_name: field.message_type for field in message.fields}
            spec = {field.json_name for field in members["metricSpec"].fields}
            instance = members.get("instance") or members["instances"]
            assert (set(row.spec) - {"version", "useReference"} <= spec, name) == (True, name)
            assert (set(row.instance) <= {field.json_name for field in instance.fields}, name) == (True, name)
            assert {f"{row.name}Result", f"{row.name}Results"} & results
