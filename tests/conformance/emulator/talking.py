"""How the methods around conversations and evaluation runs are driven through Google's client."""

from typing import Any

import pytest
from google.api_core import exceptions

from tests.conformance.emulator.cases import EVALUATIONS
from tests.conformance.emulator.conftest import PATIENCE, Google, fresh
from tests.conformance.emulator.making import made


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
