"""`cesplan score` on files of ADK: what it says, what it trusts, and what hostile files do to it."""

import importlib
import json
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from cesplan.workflow.scores.scoring import MOST_BYTES
from tests.cli.conftest import Run
from tests.unit.features.scores.adk.files import eval_set, invocation, results

LOOKUP = {"name": "lookup", "args": {"order": "A-1"}}
RIGHT = [invocation("Where is it?", "It ships today.", calls=[LOOKUP]), invocation("Thanks", "Bye.")]
WRONG = [invocation("Where is it?", "It ships today."), invocation("Thanks", "Bye.")]


class Folder:
    """Files of ADK, and the command on them."""

    def __init__(self, root: Path, run: Run) -> None:
        self.root = root
        self._run = run
        self.write("desk.evalset.json", eval_set(order=RIGHT, greeting=RIGHT[1:]))

    def write(self, name: str, document: Any) -> None:
        text = document if isinstance(document, str) else json.dumps(document)
        (self.root / name).write_text(text, encoding="utf-8", errors="surrogatepass")

    def score(self, *words: str) -> Any:
        return self._run("-C", str(self.root), "score", "desk.evalset.json", *words)


@pytest.fixture
def folder(tmp_path: Path, cesplan: Run) -> Folder:
    return Folder(tmp_path, cesplan)


def test_a_report_says_which_turn_lowered_which_score(folder: Folder) -> None:
    """By case, what did not pass first."""
    folder.write("run.json", results(("order", WRONG), ("greeting", RIGHT[1:])))
    ran = folder.score("run.json")
    assert ran.code == 5
    assert (
        ran.out
        == """\
Eval set desk, by the default criteria of ADK

  failed         order
                 tool_trajectory_avg_score 0.5 < 1  turns 0, 1
                 response_match_score 1 ≥ 0.8  turns 1, 1
  passed         greeting
                 tool_trajectory_avg_score 1 ≥ 1
                 response_match_score 1 ≥ 0.8

2 cases: 1 passed, 1 failed.
"""
    )


def test_runs_are_counted_over_all_files(folder: Folder) -> None:
    """Two runs in two files: the mean of the turns of both."""
    folder.write("one.json", results(("order", RIGHT), ("greeting", RIGHT[1:])))
    folder.write("two.json", results(("order", WRONG), ("greeting", RIGHT[1:])))
    folder.write("bar.json", {"criteria": {"tool_trajectory_avg_score": 0.75}})
    ran = folder.score("one.json", "two.json", "--runs", "2", "--config", "bar.json")
    assert (ran.code, "tool_trajectory_avg_score 0.75 ≥ 0.75  turns 1, 1; 0, 1" in ran.out) == (0, True)
    ran = folder.score("one.json", "--runs", "2", "--config", "bar.json")
    assert (ran.code, ran.out.count("the case has 1 of 2 runs")) == (8, 2)


def test_one_case_without_a_result_is_not_a_pass(folder: Folder) -> None:
    """In any format."""
    folder.write("run.json", results(("order", RIGHT)))
    ran = folder.score("run.json", "--format", "json")
    document = json.loads(ran.out)
    assert (ran.code, document["exit_code"], document["status"]) == (8, 8, "not-evaluated")
    assert document["summary"] == {"cases": 2, "passed": 1, "failed": 0, "not_evaluated": 1}
    assert document["cases"][1]["metrics"][0]["reason"] == "the case has no result"
    suite = ElementTree.fromstring(folder.score("run.json", "--format", "junit").out)
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("2", "0", "1")


@pytest.mark.parametrize(
    ("document", "config", "said"),
    [
        (eval_set(), None, "the eval set has no cases"),
        (eval_set(order=RIGHT), {"criteria": {}}, "the configuration has no criteria"),
        (eval_set(order=RIGHT), {}, "the configuration has no criteria"),
        (
            eval_set(order=RIGHT),
            {"criterias": {"response_match_score": 1}},
            "the configuration has no criteria",
        ),
    ],
)
def test_nothing_to_evaluate_is_not_a_pass(folder: Folder, document: Any, config: Any, said: str) -> None:
    """A gate without cases or criteria, also by a slip of the key, gates nothing."""
    folder.write("desk.evalset.json", document)
    folder.write("run.json", results(("order", RIGHT)))
    folder.write("bar.json", config)
    words = ["--config", "bar.json"] if config is not None else []
    ran = folder.score("run.json", *words)
    assert (ran.code, said in ran.out) == (8, True)
    suite = ElementTree.fromstring(folder.score("run.json", *words, "--format", "junit").out)
    assert suite.get("errors") != "0"


def test_scores_that_results_record_are_not_trusted(folder: Folder) -> None:
    """They are an editor away; the turns count, and the difference is said."""
    folder.write("run.json", results(("order", WRONG), ("greeting", RIGHT[1:]), tool_trajectory_avg_score=1.0))
    ran = folder.score("run.json")
    assert (ran.code, "the results record 1 as" in ran.out) == (5, True)


def test_results_of_another_eval_set_prove_nothing(folder: Folder) -> None:
    """Though its cases have the same ids."""
    folder.write("run.json", results(("order", RIGHT), ("greeting", RIGHT[1:]), eval_set_id="other"))
    ran = folder.score("run.json")
    assert (ran.code, " ".join(ran.out.split()).count("the results are of the eval set `other`")) == (8, 2)


def test_one_criterion_can_be_chosen(folder: Folder) -> None:
    """The others are left aside: a configuration with judges can be scored in part, knowingly."""
    folder.write("run.json", results(("order", RIGHT), ("greeting", RIGHT[1:])))
    folder.write("bar.json", {"criteria": {"safety_v1": 0.8, "response_match_score": 0.5}})
    assert folder.score("run.json", "--config", "bar.json").code == 8
    assert folder.score("run.json", "--config", "bar.json", "--metric", "response_match_score").code == 0


def test_a_library_that_is_missing_is_asked_for(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is skipped; what does not need it works."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "rouge_score"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "rouge_score", None)
    importlib.invalidate_caches()
    folder.write("run.json", results(("order", RIGHT), ("greeting", RIGHT[1:])))
    ran = folder.score("run.json")
    assert (ran.code, ran.out) == (7, "")
    assert "rouge-score" in ran.err
    assert "pip install 'cesplan[evaluation]'" in ran.err
    assert folder.score("run.json", "--metric", "tool_trajectory_avg_score").code == 0


@pytest.mark.parametrize("name", ["desk.evalset.json", "run.json", "bar.json"])
def test_a_report_never_takes_the_place_of_an_input(folder: Folder, name: str) -> None:
    """Each file that is read is refused as a place to write."""
    folder.write("run.json", results(("order", RIGHT)))
    folder.write("bar.json", {"criteria": {}})
    before = (folder.root / name).read_bytes()
    ran = folder.score("run.json", "--config", "bar.json", "--report", f"json={name}")
    assert (ran.code, "already in use" in ran.err) == (64, True)
    assert (folder.root / name).read_bytes() == before


@pytest.mark.parametrize("format_", ["text", "json", "junit"])
def test_texts_of_strangers_do_nothing_to_a_terminal_or_a_log(folder: Folder, format_: str) -> None:
    """Escape sequences, marks of direction and commands to a pipeline, in ids and in names of metrics."""
    evil = "\x1b[31m\u202e\n::error::x ##[error]y \x9b\x00"
    folder.write("desk.evalset.json", {**eval_set(**{evil: RIGHT}), "eval_set_id": evil})
    folder.write("run.json", results((evil, WRONG), (f"{evil}2", WRONG), eval_set_id=evil))
    folder.write("bar.json", {"criteria": {evil: 0.5, "tool_trajectory_avg_score": 1}})
    ran = folder.score("run.json", "--config", "bar.json", "--format", format_)
    assert ran.code == 5
    for sign in "\x1b\u202e\x9b\x00":
        assert sign not in ran.out
    assert not any(row.lstrip().startswith("::") for row in ran.out.splitlines())
    assert "##[error]" not in ran.out
    wrong = folder.score("run.json", "--config", "desk.evalset.json", "--metric", evil)
    assert wrong.code in (7, 64)
    assert not set(wrong.err) & set("\x1b\u202e\x9b\x00")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is not JSON"),
        ("[" * 1_000_000, "more than 100 levels"),
        ('{"eval_case_results": NaN}', "NaN is not a number in JSON"),
        ('{"eval_case_results": [], "eval_set_id": "\\ud800"}', "half of a surrogate pair"),
        ("\ud800", "is not UTF-8"),
        ('"' * 3, "is not JSON"),
        ("[]", "holds no results"),
        ('{"eval_case_results": {}}', "is not a file of results"),
    ],
)
def test_hostile_files_are_invalid(folder: Folder, text: str, said: str) -> None:
    """With the file, the reason, and no trace."""
    folder.write("run.json", text)
    ran = folder.score("run.json")
    assert ran.code == 7
    assert "run.json" in ran.err
    assert said in " ".join(ran.err.split())
    assert "Traceback" not in ran.err


def test_a_file_that_is_too_large_is_not_read(folder: Folder) -> None:
    """The limit is said."""
    with (folder.root / "run.json").open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    ran = folder.score("run.json")
    assert (ran.code, "larger than 16 MiB" in ran.err) == (7, True)


def test_a_long_answer_has_no_score_and_the_others_do(folder: Folder) -> None:
    """What takes too long is not evaluated, which is not a pass."""
    long = [invocation("Where is it?", "It " * 40_000, calls=[LOOKUP]), RIGHT[1]]
    folder.write("run.json", results(("order", long), ("greeting", RIGHT[1:])))
    ran = folder.score("run.json", "--metric", "response_match_score")
    assert ran.code == 8
    assert "a response has more than 100,000 characters" in " ".join(ran.out.split())
