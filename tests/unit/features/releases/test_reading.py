"""A release file is read strictly: what it says is kept whole, and every mistake has its place."""

from datetime import timedelta
from pathlib import Path

import jsonschema
import pytest
import yaml

from cesplan.config.tree.load import Loaded
from cesplan.domain.features.evaluation import EvaluationChoice, Method, ToolBehavior
from cesplan.domain.features.release import (
    CanaryCondition,
    CanaryMetric,
    CanaryStep,
    Release,
    ReleaseLimits,
    Requirement,
    SayStep,
    SmokeExpectation,
    Suite,
    ToolsetStep,
    ToolStep,
)
from cesplan.domain.features.scores import MatchType
from cesplan.features.releases.files.editor_schema import release_overlay_schema, release_schema
from cesplan.workflow.validating import validate

TREE = {
    "cesplan.yaml": "cesplan: 1\nproject: acme-dev\nlocation: us\nenvironments: {prod: {}}\n",
    "apps/help-desk/app.yaml": "displayName: Desk\nrootAgent: front-desk\n",
    "apps/help-desk/agents/front-desk.yaml": "displayName: Front\ntools: [lookup-order]\n",
    "apps/help-desk/tools/lookup-order.yaml": (
        "pythonFunction: {name: lookup, pythonCode: \"def lookup(): 'Find an order.'\"}\n"
    ),
    "apps/help-desk/evaluations/late-order.yaml": (
        "displayName: Late order\ntags: [orders]\n"
        "golden: {turns: [{steps: [{userInput: {text: Hi}},"
        " {expectation: {agentResponse: {role: front-desk, chunks: [{text: Hello}]}}}]}]}\n"
    ),
    "apps/help-desk/evaluationDatasets/nightly.yaml": "displayName: Nightly\nevaluations: [late-order]\n",
    "apps/help-desk/versions/release-1.yaml": "displayName: Release 1\n",
    "apps/help-desk/deployments/web-chat.yaml": (
        "displayName: Web\nappVersion: release-1\nchannelProfile: {channelType: API}\n"
    ),
    "apps/help-desk/deployments/rehearsal.yaml": (
        "displayName: Try\nappVersion: release-1\nchannelProfile: {channelType: API}\n"
    ),
}
FULL = """\
deployment: web-chat
suites:
  regression:
    evaluations: {dataset: nightly, tag: [orders]}
    repeats: 3
    tools: real
    method: naive
    require: {each: 2 of 3, rate: 0.9, confidence: 0.95}
    critical: [late-order]
  rated: {evaluations: {name: "Late*"}, require: {rate: 0.5}}
scores:
  tool_trajectory_avg_score: {threshold: 1.0, match_type: IN_ORDER}
  response_match_score: 0.5
judges: {rubric_based_final_response_quality_v1: {threshold: 0.8, rubrics: {polite: It is polite.}}}
baseline: deployed
smoke:
  - {say: "Where is A-1?", expect: {tools: [lookup-order], agent: front-desk, says: A-1, ends: false}}
  - {tool: lookup-order, args: {order: A-1}}
smokeDeployment: rehearsal
limits: {sessions: 400, minutes: 10, judgeCalls: 50}
canary:
  - {percent: 5, hold: 1h30m, conversations: 50, require: {errors: {atMost: 0.1}}}
  - {percent: 25, hold: 4h}
  - {percent: 100}
evidenceAge: 2d
"""


def tree(root: Path, release: str, **more: str) -> Loaded:
    files = {**TREE, "apps/help-desk/releases/web.yaml": release, **more}
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return validate(root)


def releases(loaded: Loaded) -> tuple[Release, ...]:
    assert loaded.desired is not None, loaded.diagnostics
    return loaded.desired.apps[0].releases


def test_everything_that_a_file_says_is_kept(tmp_path: Path) -> None:
    """Each key has its value in the release; the candidate is the version of the deployment's file."""
    (found,) = releases(tree(tmp_path, FULL))
    assert (found.name, found.app, found.file) == ("web", "help-desk", "apps/help-desk/releases/web.yaml")
    assert (found.deployment, found.candidate, found.baseline) == ("web-chat", "versions/release-1", "deployed")
    assert found.suites == (
        Suite(
            name="regression",
            selection=EvaluationChoice(datasets=("nightly",), tags=("orders",)),
            repeats=3,
            method=Method.NAIVE,
            tools=ToolBehavior.REAL,
            requirement=Requirement(each=2, rate=0.9, confidence=0.95),
            critical=("late-order",),
        ),
        Suite(
            name="rated",
            selection=EvaluationChoice(names=("Late*",)),
            requirement=Requirement(each=0, rate=0.5),
        ),
    )
    trajectory, response = found.scores
    assert (trajectory.criterion.match_type, trajectory.criterion.threshold) == (MatchType.IN_ORDER, 1.0)
    assert (response.criterion.threshold, response.is_required) == (0.5, True)
    assert found.judges[0].rubrics[0].text == "It is polite."
    assert found.smoke == (
        SayStep(
            say="Where is A-1?",
            expect=SmokeExpectation(tools=("lookup-order",), agent="front-desk", says=("A-1",), ends=False),
        ),
        ToolStep(tool="lookup-order", args={"order": "A-1"}),
    )
    assert found.limits == ReleaseLimits(sessions=400, minutes=10, judge_calls=50, reruns=1)
    assert found.canary[0] == CanaryStep(
        percent=5,
        hold=timedelta(minutes=90),
        conversations=50,
        conditions=(CanaryCondition(metric=CanaryMetric.ERRORS, at_most=0.1),),
    )
    assert [item.percent for item in found.canary] == [5, 25, 100]
    assert found.evidence_age == timedelta(days=2)


def test_without_a_requirement_every_repeat_must_pass(tmp_path: Path) -> None:
    """The strictest bar is the default, and fake tools are."""
    text = "deployment: web-chat\nlimits: {sessions: 9}\nsuites: {a: {evaluations: {all: true}, repeats: 3}}\n"
    (found,) = releases(tree(tmp_path, text))
    assert found.suites[0].requirement == Requirement(each=3)
    assert found.suites[0].tools is ToolBehavior.FAKE


def test_toolsets_and_new_sessions_are_smoke_steps(tmp_path: Path) -> None:
    text = (
        "deployment: web-chat\nlimits: {sessions: 9}\nsmokeDeployment: rehearsal\n"
        "smoke: [{toolset: crm-records, toolIds: [find]}, {say: Hi, newSession: true}]\n"
    )
    crm = "apps/help-desk/toolsets/crm-records.yaml"
    loaded = tree(tmp_path, text, **{crm: "displayName: CRM\nmcpToolset: {serverAddress: https://a.example}\n"})
    (found,) = releases(loaded)
    assert found.smoke[0] == ToolsetStep(toolset="crm-records", tool_ids=("find",))
    assert found.smoke[1] == SayStep(say="Hi", starts_session=True)


BASE = "deployment: web-chat\nlimits: {sessions: 9}\n"
SUITE = BASE + "suites: {a: {evaluations: {all: true}}}\n"
MISTAKES = {
    "no deployment": (
        "limits: {sessions: 1}\nsuites: {a: {evaluations: {all: true}}}",
        "`deployment` is missing",
    ),
    "unknown key": (f"{SUITE}canari: []", "unknown key `canari`"),
    "no limits": ("deployment: web-chat\nsuites: {a: {evaluations: {all: true}}}", "`limits` is missing"),
    "nothing shown": (BASE, "the release checks nothing"),
    "wrong type": (f"{SUITE}evidenceAge: [1]", "`evidenceAge` must be a duration"),
    "no such deployment": (SUITE.replace("web-chat", "wbe-chat"), "the deployment `wbe-chat` does not exist"),
    "falling percentages": (
        f"{SUITE}canary: [{{percent: 5}}, {{percent: 5}}, {{percent: 100}}]",
        "percentages must rise: 5 comes after 5",
    ),
    "not to the end": (f"{SUITE}canary: [{{percent: 5}}]", "must have 100 percent"),
    "above all": (f"{SUITE}canary: [{{percent: 101}}]", "must be a whole number from 1 to 100"),
    "hold at the end": (f"{SUITE}canary: [{{percent: 100, hold: 1h}}]", "`hold` has no effect"),
    "no steps": (f"{SUITE}canary: []", "must have 1 to 20 items"),
    "no metric": (
        f"{SUITE}canary: [{{percent: 5, require: {{erors: {{atMost: 1}}}}}}]",
        "unknown metric `erors`",
    ),
    "empty condition": (
        f"{SUITE}canary: [{{percent: 5, require: {{errors: {{}}}}}}, {{percent: 100}}]",
        "`errors` needs `atMost` or `increase`",
    ),
    "no dataset": (f"{BASE}suites: {{a: {{evaluations: {{dataset: nightlee}}}}}}", "`nightlee` does not exist"),
    "no tag": (f"{BASE}suites: {{a: {{evaluations: {{tag: order}}}}}}", "the tag `order` does not exist"),
    "no evaluation": (f"{BASE}suites: {{a: {{evaluations: {{name: lte-order}}}}}}", "no evaluation matches"),
    "nothing chosen": (f"{BASE}suites: {{a: {{evaluations: {{all: false}}}}}}", "has no evaluations"),
    "critical elsewhere": (
        f"{BASE}suites: {{a: {{evaluations: {{all: true}}, critical: [late-orde]}}}}",
        "the evaluation `late-orde` does not exist",
    ),
    "other repeats": (
        f"{BASE}suites: {{a: {{evaluations: {{all: true}}, repeats: 4, require: {{each: 2 of 3}}}}}}",
        "`2 of 3` does not fit `repeats`: 4",
    ),
    "more than all": (
        f"{BASE}suites: {{a: {{evaluations: {{all: true}}, repeats: 3, require: {{each: 4 of 3}}}}}}",
        "`4 of 3` cannot be reached",
    ),
    "confidence alone": (
        f"{BASE}suites: {{a: {{evaluations: {{all: true}}, require: {{confidence: 0.9}}}}}}",
        "`confidence` needs a `rate`",
    ),
    "never shown": (
        f"{BASE}suites: {{a: {{evaluations: {{all: true}}, require: {{rate: 1, confidence: 0.9}}}}}}",
        "no number of runs can show a rate of 1",
    ),
    "judges for free": (f"{SUITE}judges: {{safety_v1: 1}}", "`judges` need `judgeCalls`"),
    "no rubrics": (
        SUITE.replace("{sessions: 9}", "{sessions: 9, judgeCalls: 9}")
        + "judges: {rubric_based_tool_use_quality_v1: 1}",
        "needs `rubrics`",
    ),
    "a setting of another score": (
        f"{SUITE}scores: {{response_match_score: {{threshold: 1, match_type: EXACT}}}}",
        "`match_type` is a setting of",
    ),
    "smoke nowhere": (f"{BASE}smoke: [{{say: Hi}}]", "the smoke test needs `smokeDeployment`"),
    "smoke on itself": (
        f"{BASE}smokeDeployment: web-chat\nsmoke: [{{say: Hi}}]",
        "cannot use the released deployment",
    ),
    "two steps in one": (
        f"{BASE}smokeDeployment: rehearsal\nsmoke: [{{say: Hi, tool: lookup-order}}]",
        "has more than one of",
    ),
    "no agent": (
        f"{BASE}smokeDeployment: rehearsal\nsmoke: [{{say: Hi, expect: {{agent: fromt-desk}}}}]",
        "the agent `fromt-desk` does not exist",
    ),
    "no tool": (f"{BASE}smoke: [{{tool: lookup-orde}}]", "the tool `lookup-orde` does not exist"),
    "no baseline": (f"{SUITE}baseline: depoyed", "the baseline `depoyed` does not exist"),
    "baseline outside": (f"{SUITE}baseline: ../../../../x.json", "leads out of the tree"),
    "not a mapping": ("- deployment: web-chat", "contains no mapping"),
    "a boolean rate": (
        f"{BASE}suites: {{a: {{evaluations: {{all: true}}, require: {{rate: true}}}}}}",
        "must be a number from 0 to 1",
    ),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_a_mistake_is_an_error_at_its_place(case: str, tmp_path: Path) -> None:
    """Each is reported with file, line and column, and there is no desired state."""
    text, said = MISTAKES[case]
    loaded = tree(tmp_path, f"{text}\n")
    found = [item for item in loaded.diagnostics if said in item.summary]
    assert found, [item.summary for item in loaded.diagnostics]
    assert found[0].place is not None
    assert (found[0].place.file, found[0].place.line > 0) == ("apps/help-desk/releases/web.yaml", True)
    assert loaded.desired is None


def test_a_slip_has_a_suggestion(tmp_path: Path) -> None:
    loaded = tree(tmp_path, SUITE.replace("deployment: web-chat", "deployment: wbe-chat"))
    assert [item.suggestion for item in loaded.diagnostics] == ["web-chat"]


def test_a_deployment_has_one_release_and_no_split_of_its_own(tmp_path: Path) -> None:
    """Two owners of one split would take turns."""
    loaded = tree(tmp_path, SUITE, **{"apps/help-desk/releases/again.yaml": SUITE})
    assert [item.summary for item in loaded.diagnostics] == [
        "`apps/help-desk/releases/again.yaml` also releases the deployment `web-chat`"
    ]
    split = (
        "displayName: Web\nappVersion: release-1\nchannelProfile: {channelType: API}\n"
        "experimentConfig: {versionRelease:"
        " {state: RUNNING, trafficAllocations: [{id: a, trafficPercentage: 100, appVersion: release-1}]}}\n"
    )
    (tmp_path / "apps/help-desk/releases/again.yaml").unlink()
    loaded = tree(tmp_path, SUITE, **{"apps/help-desk/deployments/web-chat.yaml": split})
    assert [item.summary for item in loaded.diagnostics] == [
        "`apps/help-desk/deployments/web-chat.yaml` has an `experimentConfig`"
    ]


def test_a_release_can_be_laid_over_and_left_out_by_an_environment(tmp_path: Path) -> None:
    """Environments change limits, as they change resources."""
    over = "environments/prod/apps/help-desk/releases/web.yaml"
    tree(tmp_path, SUITE, **{over: "limits: {sessions: 50}\n"})
    loaded = validate(tmp_path, environment="prod")
    assert [item.limits.sessions for item in releases(loaded)] == [50]
    assert [item.limits.sessions for item in releases(validate(tmp_path))] == [9]
    (tmp_path / over).write_text("$exclude: true\n")
    assert releases(validate(tmp_path, environment="prod")) == ()
    (tmp_path / over).write_text("limits: {sessions: many}\n")
    (mistake,) = validate(tmp_path, environment="prod").diagnostics
    assert mistake.place is not None
    assert (mistake.place.file, mistake.place.line) == (over, 1)


def test_the_schema_for_editors_accepts_what_is_read_and_refuses_slips(tmp_path: Path) -> None:
    """Both are made of one table."""
    schema = release_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    check = jsonschema.Draft202012Validator(schema)
    check.validate(yaml.safe_load(FULL))
    for text in (
        FULL.replace("sessions", "session"),
        FULL.replace("1h30m", "1x"),
        FULL.replace("real", "reel"),
    ):
        assert not check.is_valid(yaml.safe_load(text)), text


def test_the_schema_of_an_overlay_requires_nothing_and_still_refuses_slips() -> None:
    """An environment says as little as it changes."""
    schema = release_overlay_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    check = jsonschema.Draft202012Validator(schema)
    for text in ("limits: {sessions: 50}", "$exclude: true", "canary: null", "suites: {a: {repeats: 2}}"):
        check.validate(yaml.safe_load(text))
    for text in ("limit: {sessions: 50}", "limits: {sessions: many}", "suites: {a: {repeat: 2}}"):
        assert not check.is_valid(yaml.safe_load(text)), text
