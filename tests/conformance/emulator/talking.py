"""How the methods around conversations and evaluation runs are driven through Google's client."""

from typing import Any

import pytest
from google.api_core import exceptions

from tests.conformance.emulator.cases import EVALUATIONS, SHARED
from tests.conformance.emulator.conftest import PATIENCE, Google, fresh
from tests.conformance.emulator.making import made

CASES = {case.collection: case for case in SHARED}


def conversation(google: Google) -> str:
    """Let there be a conversation and return its name."""
    name = f"{google.app}/conversations/{fresh('talk')}"
    said = {"messages": [{"role": "user", "chunks": [{"text": "hi"}]}]}
    google.played.seed({"name": name, "turns": [said], "source": "LIVE", "turnCount": 1})
    return name


def list_conversations(google: Google) -> None:
    name = conversation(google) if google.emulator else None
    found = [one.name for one in google.agents.list_conversations(parent=google.app)]
    assert name is None or name in found


def get_conversation(google: Google) -> None:
    one = google.agents.get_conversation(name=conversation(google))
    assert [chunk.text for chunk in one.turns[0].messages[0].chunks] == ["hi"]


def delete_conversation(google: Google) -> None:
    name = conversation(google)
    google.agents.delete_conversation(name=name)
    with pytest.raises(exceptions.NotFound):
        google.agents.get_conversation(name=name)


def batch_delete_conversations(google: Google) -> None:
    name, gone = conversation(google), f"{google.app}/conversations/nobody"
    request = {"parent": google.app, "conversations": [name, gone]}
    answer = google.agents.batch_delete_conversations(request=request).result(timeout=PATIENCE)
    assert (list(answer.deleted_conversations), list(answer.failed_conversations)) == ([name], [gone])


def session(google: Google) -> dict[str, Any]:
    """Let there be an agent with a tool and a script, and return the request of a turn."""
    agent, tool = made(google, CASES["agents"]), made(google, CASES["tools"])
    call = {"tool": tool.name, "args": {"order": 7}, "response": {"state": "sent"}}
    steps = [{"call": call}, {"transfer": agent.name}, {"say": "On its way."}, {"end": {"reason": "done"}}]
    google.played.converse({"input": "where *", "steps": steps})
    config = {"session": f"{google.app}/sessions/{fresh('talk')}", "entry_agent": agent.name}
    return {"config": config, "inputs": [{"text": "where is it"}]}


def run_session(google: Google) -> None:
    request = session(google)
    said, ended = google.sessions.run_session(request=request).outputs
    assert (said.text, said.turn_index, ended.turn_completed) == ("On its way.", 1, True)
    assert dict(ended.end_session.metadata) == {"reason": "done"}
    chunks = [chunk for message in ended.diagnostic_info.messages for chunk in message.chunks]
    kinds = [type(chunk).pb(chunk).WhichOneof("data") for chunk in chunks]
    assert kinds == ["text", "tool_call", "tool_response", "agent_transfer", "text"]
    assert dict(chunks[1].tool_call.args) == {"order": 7}
    name = request["config"]["session"].replace("/sessions/", "/conversations/")
    talk = google.agents.get_conversation(name=name)
    assert (talk.turn_count, talk.source) == (1, google.ces.Conversation.Source.SIMULATOR)


def stream_run_session(google: Google) -> None:
    request = session(google)
    request["config"]["enable_text_streaming"] = True
    found = [output for one in google.sessions.stream_run_session(request=request) for output in one.outputs]
    assert [output.text for output in found[:-1]] == ["On ", "its ", "way."]
    assert found[-1].turn_completed


def execute_tool(google: Google) -> None:
    tool, inner = made(google, CASES["tools"]), made(google, CASES["tools"])
    google.played.converse(
        tools=[{"tool": tool.name, "response": {"state": "sent"}, "calls": [{"tool": inner.name}]}]
    )
    mock = {"tool_id": inner.name, "expected_args_pattern": {}, "mock_response": {"ok": True}}
    mocks = {"mocked_tool_calls": [mock], "unmatched_tool_call_behavior": "FAIL"}
    request = {"parent": google.app, "tool": tool.name, "args": {"order": 7}, "mock_config": mocks}
    assert dict(google.tools.execute_tool(request=request).response) == {"state": "sent"}
    request["mock_config"]["mocked_tool_calls"] = []
    with pytest.raises(exceptions.BadRequest):
        google.tools.execute_tool(request=request)


def run(google: Google) -> Any:
    """Run one evaluation once, which passes, and return it and the run."""
    evaluation = made(google, EVALUATIONS[0])
    google.played.play({"evaluation": "V *", "outcome": "PASS"})
    request = {"app": google.app, "evaluations": [evaluation.name], "run_count": 1}
    answer = google.evaluations.run_evaluation(request=request).result(timeout=PATIENCE)
    return evaluation, google.evaluations.get_evaluation_run(name=answer.evaluation_run)


def run_evaluation(google: Google) -> None:
    _, one = run(google)
    assert one.state == google.ces.EvaluationRun.EvaluationRunState.COMPLETED
    assert (one.progress.total_count, one.progress.passed_count) == (1, 1)


def list_runs(google: Google) -> None:
    _, one = run(google)
    assert one.name in [found.name for found in google.evaluations.list_evaluation_runs(parent=google.app)]


def delete_run(google: Google) -> None:
    _, one = run(google)
    google.evaluations.delete_evaluation_run(name=one.name).result(timeout=PATIENCE)
    with pytest.raises(exceptions.NotFound):
        google.evaluations.get_evaluation_run(name=one.name)


def results(google: Google) -> None:
    evaluation, one = run(google)
    (found,) = google.evaluations.list_evaluation_results(parent=evaluation.name)
    assert list(one.evaluation_results) == [found.name]
    assert google.evaluations.get_evaluation_result(name=found.name) == found
    assert found.evaluation_status == google.ces.EvaluationResult.Outcome.PASS
    google.evaluations.delete_evaluation_result(name=found.name)
    assert list(google.evaluations.list_evaluation_results(parent=evaluation.name)) == []


def exports_of_evaluations(google: Google) -> None:
    evaluation, one = run(google)
    client, ask = google.evaluations, {"parent": google.app, "names": [evaluation.name]}
    whole = client.export_evaluations(request=ask | {"include_evaluations": True}).result(timeout=PATIENCE)
    assert evaluation.display_name.encode() in whole.evaluations_content
    ask = {"parent": google.app, "names": [one.name]}
    assert client.export_evaluation_runs(request=ask).result(timeout=PATIENCE).evaluation_runs_content
    ask = {"parent": evaluation.name, "names": list(one.evaluation_results)}
    assert client.export_evaluation_results(request=ask).result(timeout=PATIENCE).evaluation_results_content


def import_evaluations(google: Google) -> None:
    name = fresh("golden")
    rows = ("display_name,turn_index,action_type,text_content", f"{name},,,", ",1,INPUT_TEXT,hi")
    request = {"parent": google.app, "csv_content": "\n".join(rows).encode()}
    answer = google.evaluations.import_evaluations(request=request).result(timeout=PATIENCE)
    assert [one.display_name for one in answer.evaluations] == [name]
