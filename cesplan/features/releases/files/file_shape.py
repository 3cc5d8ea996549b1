"""What a release file may hold: the one table from which it is read and the schema for editors is made."""

from cesplan.domain.features.evaluation import Method, ToolBehavior
from cesplan.domain.features.release import CanaryMetric
from cesplan.domain.features.scores import RESPONSE_MATCH, TRAJECTORY, MatchType
from cesplan.features.releases.files.shapes import (
    Flag,
    Free,
    ListOf,
    MapOf,
    Number,
    RecordShape,
    TextShape,
    TimeShape,
    Variants,
)

JUDGED = (
    "final_response_match_v2",
    "hallucinations_v1",
    "rubric_based_final_response_quality_v1",
    "rubric_based_tool_use_quality_v1",
    "safety_v1",
)
"""The ADK criteria that a judge can decide."""
RUBRIC_BASED = tuple(name for name in JUDGED if name.startswith("rubric_based"))
MOST_STEPS = 20
"""Steps of a canary."""
LONGEST_SMOKE = 100


def _share(doc: str) -> Number:
    return Number(low=0, high=1, doc=doc)


_SELECTION = RecordShape(
    doc="The evaluations of the suite: all that match any of these keys.",
    fields={
        "dataset": ListOf(item=TextShape(), or_one=True, at_least=1, doc="Datasets, by key."),
        "tag": ListOf(item=TextShape(), or_one=True, at_least=1, doc="Evaluations with one of these tags."),
        "name": ListOf(
            item=TextShape(),
            or_one=True,
            at_least=1,
            doc="Evaluations by key or display name; `*` is a wildcard.",
        ),
        "all": Flag(doc="If true, all evaluations of the app."),
    },
)

_REQUIREMENT = RecordShape(
    doc="When the suite passes. Default: every repeat of every evaluation passes.",
    fields={
        "each": TextShape(
            doc="How many repeats of each evaluation must pass, such as `2 of 3`.",
            pattern=r"[1-9]\d{0,3} of [1-9]\d{0,3}",
            form="of the form `2 of 3`",
        ),
        "rate": _share("The share of all results that must pass."),
        "confidence": Number(
            low=0.5,
            high=0.999,
            doc="If set, the one-sided lower bound of Wilson's interval at this confidence must reach the rate;"
            " if only the bound misses it, the suite is inconclusive.",
        ),
    },
)

_SUITE = RecordShape(
    fields={
        "evaluations": _SELECTION,
        "repeats": Number(
            low=1, high=100, integer=True, doc="How many times each evaluation is run. Default: 1."
        ),
        "method": TextShape(
            choices=tuple(Method), doc="How golden conversations are replayed. Default: stable."
        ),
        "tools": TextShape(choices=tuple(ToolBehavior), doc="Real tools or their fakes. Default: fake."),
        "require": _REQUIREMENT,
        "critical": ListOf(
            item=TextShape(),
            or_one=True,
            doc="Critical evaluations, by key: the suite fails if any of their repeats fails.",
        ),
    },
    required=("evaluations",),
)

_REPORT_ONLY = Flag(doc="If true, the score is reported but does not affect the verdict. Default: false.")
_SCORE = RecordShape(
    short="threshold",
    fields={
        "threshold": _share("The minimum score of each evaluation."),
        "match_type": TextShape(
            choices=tuple(MatchType), doc="For the trajectory: how calls must match. Default: EXACT."
        ),
        "ignore_args": Flag(doc="For the trajectory: if true, only names are compared. Default: false."),
        "reportOnly": _REPORT_ONLY,
    },
    required=("threshold",),
)

_JUDGE = RecordShape(
    short="threshold",
    fields={
        "threshold": _share("The minimum score of each evaluation."),
        "samples": Number(low=1, high=32, integer=True, doc="How many times the judge is asked. Default: 5."),
        "model": TextShape(doc="The judge model. Default: the model that the service chooses."),
        "rubrics": MapOf(item=TextShape(), doc="Properties to look for, by name; for criteria with rubrics."),
        "reportOnly": _REPORT_ONLY,
    },
    required=("threshold",),
)

_EXPECT = RecordShape(
    doc="What to expect of the answer. Omitted members are not checked.",
    fields={
        "tools": ListOf(
            item=TextShape(), or_one=True, doc="Tools that the agent must call, in this order; `[]`: none."
        ),
        "transfers": ListOf(
            item=TextShape(), or_one=True, doc="Agents that must take over, in this order; `[]`: none."
        ),
        "agent": TextShape(doc="The agent that answers, by key."),
        "says": ListOf(
            item=TextShape(),
            or_one=True,
            doc="Texts that the answer must contain; case and white space are ignored.",
        ),
        "neverSays": ListOf(item=TextShape(), or_one=True, doc="Texts that the answer must not contain."),
        "ends": Flag(doc="Whether the session must be over after the answer."),
    },
)

SMOKE_STEP = Variants(
    by_key={
        "say": RecordShape(
            fields={
                "say": TextShape(doc="What the user says."),
                "expect": _EXPECT,
                "variables": Free(doc="Variables that are set with the input."),
                "newSession": Flag(doc="If true, the step starts a new session. Default: false."),
            },
            required=("say",),
        ),
        "tool": RecordShape(
            fields={
                "tool": TextShape(doc="A tool to execute, by key."),
                "args": Free(doc="Its arguments."),
                "mocks": ListOf(item=Free(), doc="Mocked tool calls, as in MockedToolCall of the API."),
                "response": Free(doc="Members that the response must have."),
            },
            required=("tool",),
        ),
        "toolset": RecordShape(
            fields={
                "toolset": TextShape(doc="A toolset, by key."),
                "toolIds": ListOf(item=TextShape(), at_least=1, doc="Tools that the toolset must have."),
            },
            required=("toolset", "toolIds"),
        ),
    }
)

_LIMITS = RecordShape(
    doc="What the gate may spend. A gate that would exceed it does not start.",
    fields={
        "sessions": Number(
            low=1, high=1_000_000, integer=True, doc="The number of sessions of evaluations and smoke tests."
        ),
        "minutes": Number(low=1, high=1440, integer=True, doc="Minutes of waiting for runs. Default: 30."),
        "judgeCalls": Number(
            low=0, high=1_000_000, integer=True, doc="The number of calls to judges. Default: 0."
        ),
        "reruns": Number(
            low=0,
            high=5,
            integer=True,
            doc="How many times undecided results are run again after an infrastructure error. Default: 1.",
        ),
    },
    required=("sessions",),
)

_CONDITION = RecordShape(
    fields={
        "atMost": _share("The largest share of the candidate's conversations."),
        "increase": _share("How much the share may exceed that of the old version."),
    }
)

_STEP = RecordShape(
    fields={
        "percent": Number(low=1, high=100, integer=True, doc="The candidate's share of the traffic."),
        "hold": TimeShape(doc="The minimum duration of the step, such as `1h`. Default: none."),
        "conversations": Number(
            low=1, high=1_000_000, integer=True, doc="How many conversations of the candidate are needed."
        ),
        "require": MapOf(
            item=_CONDITION,
            keys=tuple(CanaryMetric),
            key_word="metric",
            doc="Conditions for the next step. Default: no significant increase of errors and escalations.",
        ),
    },
    required=("percent",),
)

RELEASE = RecordShape(
    fields={
        "deployment": TextShape(doc="The deployment to release to, by key; its file names the candidate."),
        "suites": MapOf(item=_SUITE, doc="Suites of evaluations, by name.", key_word="suite"),
        "scores": MapOf(
            item=_SCORE,
            keys=(TRAJECTORY, RESPONSE_MATCH),
            key_word="score",
            doc="ADK scores, computed from the observed turns of golden conversations.",
        ),
        "judges": MapOf(item=_JUDGE, keys=JUDGED, key_word="judge", doc="ADK criteria that a model judges."),
        "baseline": TextShape(
            doc="`deployed`: everything that passed for the served version must pass; or the path of a JSON"
            " report of `cesplan evaluate` in the tree, relative to this file."
        ),
        "smoke": ListOf(item=SMOKE_STEP, at_most=LONGEST_SMOKE, doc="Steps of a smoke test."),
        "smokeDeployment": TextShape(
            doc="The deployment that serves the candidate for the smoke test, by key."
        ),
        "smokeTools": TextShape(
            choices=tuple(ToolBehavior), doc="Real tools or their fakes in the smoke test. Default: fake."
        ),
        "limits": _LIMITS,
        "canary": ListOf(
            item=_STEP,
            at_least=1,
            at_most=MOST_STEPS,
            doc="Steps of the traffic; percentages rise and end with 100. Default: all at once.",
        ),
        "evidenceAge": TimeShape(doc="How long evidence is valid. Default: 24h."),
    },
    required=("deployment", "limits"),
)
