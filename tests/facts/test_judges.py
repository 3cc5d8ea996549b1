"""evaluateInstances of Vertex AI: what is computed, what a script says, what is refused."""

import pytest

PLACE = "projects/acme/locations/us-central1"


def ask(server, body, version="v1beta1"):
    return server.send("POST", f"{PLACE}:evaluateInstances", body, version=version)


def calls(*inputs):
    return {"toolCalls": [{"toolName": "f", "toolInput": text} for text in inputs]}


def trajectory(server, metric, predicted, reference):
    instances = [{"predictedTrajectory": predicted, "referenceTrajectory": reference}]
    answer = ask(server, {f"trajectory{metric}Input": {"metricSpec": {}, "instances": instances}})
    (value,) = answer.body[f"trajectory{metric}Results"][f"trajectory{metric}MetricValues"]
    return value["score"]


def tool_call(**arguments):
    return f'{{"content": "", "tool_calls": [{{"name": "f", "arguments": {arguments}}}]}}'.replace("'", '"')


@pytest.mark.parametrize(("switch", "precision"), [("used_up", 0.5), ("each", 1.0)])
def test_a_repeated_call(serving, switch, precision):
    """Whether one call accounts for several is the switch `repeated_calls`."""
    server = serving(repeated_calls=switch)
    assert trajectory(server, "Precision", calls("1", "1"), calls("1")) == precision
    assert trajectory(server, "AnyOrderMatch", calls("1", "1"), calls("1")) == 1.0
    assert trajectory(server, "Recall", calls("1"), calls("1", "1")) == precision


@pytest.mark.parametrize(("switch", "score"), [("text", 0.0), ("json", 1.0)])
def test_inputs_that_are_spelled_differently(serving, switch, score):
    """Whether they are compared as texts is the switch `trajectory_inputs`; what is not JSON is a text."""
    server = serving(trajectory_inputs=switch)
    assert trajectory(server, "ExactMatch", calls('{"x":1}'), calls('{"x": 1}')) == score
    assert trajectory(server, "InOrderMatch", calls("a", '{"x":1}'), calls('{"x": 1}')) == score
    assert trajectory(server, "ExactMatch", calls("not JSON"), calls("not JSON")) == 1.0


@pytest.mark.parametrize(("switch", "share"), [("reference", 0.5), ("prediction", 1.0)])
def test_whose_parameters_are_counted(serving, switch, share):
    """The switch `counted_parameters`."""
    server = serving(counted_parameters=switch)
    instances = [{"prediction": tool_call(city="Bonn"), "reference": tool_call(city="Bonn", day="1")}]
    for metric in ("toolParameterKeyMatch", "toolParameterKvMatch"):
        answer = ask(server, {f"{metric}Input": {"metricSpec": {}, "instances": instances}})
        assert answer.body[f"{metric}Results"][f"{metric}MetricValues"] == [{"score": share}]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"safetyInput": {"instance": {"prediction": "a"}}, "coherenceInput": {"instance": {"prediction": "a"}}},
        {"safetyInput": {}},
        {"safetyInput": {"instance": {"prediction": "a", "refrence": "b"}}},
        {"safteyInput": {"instance": {"prediction": "a"}}},
        {"exactMatchInput": {"metricSpec": {}, "instances": []}},
        {"exactMatchInput": {"metricSpec": {}, "instances": [{"prediction": "a"}]}},
        {
            "rougeInput": {
                "metricSpec": {"rougeType": "rouge99"},
                "instances": [{"prediction": "", "reference": ""}],
            }
        },
        {"trajectoryExactMatchInput": {"instances": [{"predictedTrajectory": {}, "referenceTrajectory": {}}]}},
        {
            "safetyInput": {"instance": {"prediction": "a"}},
            "autoraterConfig": {"samplingCount": 33},
        },
    ],
)
def test_what_is_not_a_request_is_refused(server, body):
    """400: no input, two, an empty trajectory (seen), a misspelled member, too many samples."""
    server.emulator.judge({"score": 1})
    assert (ask(server, body).status, ask(server, body).code) == (400, "INVALID_ARGUMENT")


def test_trajectories_and_the_choice_of_a_judge_are_of_v1beta1(server):
    """v1 has neither."""
    server.emulator.judge({"score": 1})
    asked = {"safetyInput": {"instance": {"prediction": "a"}}}
    assert ask(server, asked, "v1").body == {"safetyResult": {"score": 1}}
    assert ask(server, {**asked, "autoraterConfig": {}}, "v1").status == 400
    instances = [{"predictedTrajectory": calls("1"), "referenceTrajectory": calls("1")}]
    assert ask(server, {"trajectoryExactMatchInput": {"instances": instances}}, "v1").status == 400


def test_judges_need_a_script(server):
    """And one that fits: the emulator has no model."""
    asked = {"safetyInput": {"instance": {"prediction": "a"}}}
    assert ask(server, asked).code == "UNIMPLEMENTED"
    server.emulator.judge({"contains": "b", "score": 1})
    assert ask(server, asked).code == "UNIMPLEMENTED"


def test_the_template_is_filled_in_from_the_instance(server):
    """What a script looks at is what a model would read."""
    server.emulator.judge({"contains": "Is <fine> polite?", "answer": "yes"})
    spec = {
        "metricPromptTemplate": "Is <{said}> polite?",
        "customOutputFormatConfig": {"returnRawOutput": True},
    }
    body = {"pointwiseMetricInput": {"metricSpec": spec, "instance": {"jsonInstance": '{"said": "fine"}'}}}
    found = ask(server, body).body["pointwiseMetricResult"]
    assert found == {"customOutput": {"rawOutputs": {"rawOutput": ["yes"]}}}
    body["pointwiseMetricInput"]["instance"]["jsonInstance"] = "not JSON"
    assert ask(server, body).status == 400


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"judges": {}},
        {"judges": [{"answr": "yes"}]},
        {"judges": [{"answer": 7}]},
        {"judges": [{"score": True}]},
        {"judges": [{"error": {"code": "NO_SUCH"}}]},
    ],
)
def test_a_script_that_is_wrong_is_refused(server, document):
    answer = server.send("PUT", "judges", document, version="emulator")
    assert (answer.status, answer.code) == (400, "INVALID_ARGUMENT")
