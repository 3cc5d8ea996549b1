"""Pages of every report, small and hostile, for the tests of pages and for those in a browser."""

from dataclasses import replace
from pathlib import Path

from cesplan.domain.change import Weakening
from cesplan.domain.diagnostic import Diagnostic, Severity, SourcePlace
from cesplan.domain.errors import Conflict, InvalidConfiguration, InvalidRequest, LostResponse, Refused
from cesplan.domain.features.drift import DriftClass
from cesplan.domain.features.evaluation import ConversationStep, Expectation, Problem, RunComparison, Score
from cesplan.domain.features.merge import MergeOutcome
from cesplan.domain.features.promotion import Difference, Promotion, WhichSide
from cesplan.domain.outcome import (
    Applied,
    Failed,
    NotRolledBack,
    Outcome,
    RolledBack,
    Skipped,
    Undone,
    Unknown,
)
from cesplan.domain.plan import Plan, Reason
from cesplan.domain.resource_name import Place
from cesplan.domain.settings import Settings
from cesplan.features.drift.html_report import drift_html
from cesplan.features.evaluation.html_report import evaluation_html
from cesplan.features.impact.graph import GraphResource, graph_of
from cesplan.features.impact.picture import picture_of
from cesplan.features.merge.html_report import merge_html
from cesplan.features.promotion.html_report import promotion_html
from cesplan.features.releases.html_report import release_html
from cesplan.render.html.error import error_html
from cesplan.render.html.outcomes import outcomes_html
from cesplan.render.html.picture import Picture
from cesplan.render.html.plan import plan_html
from tests.unit.features.drift.reports import app, created, field_drift, report
from tests.unit.features.evaluation.builders import REPORT as RUN
from tests.unit.features.impact.graphs import APP, HOSTILE, agent, at, desk
from tests.unit.features.merge.builders import app_merge
from tests.unit.features.releases.builders import HOLDING, PLANNED, failed_gate
from tests.unit.render.builders import (
    FIRST_CONTACT,
    FRONT_DESK,
    LIVE_EDITS,
    LIVE_TOKEN,
    MIXED,
    NOTHING,
    REFUSED,
    SECRET,
    SETTINGS,
    change,
    create,
    operation,
    plan,
    update,
)

NASTY = (
    *HOSTILE,
    "</style><script>alert(1)</script>",
    "{{ 7 * 7 }}{% raw %}",
    "' onmouseover='x",
    "javascript:x",
)


def hostile_plan(text: str) -> Plan:
    """A plan in which everything that others can name is this text."""
    changed = (
        change("instruction", f"a\n{text}\nb", f"a\n{text}!\nb", language="markdown"),
        change("displayName", text, "x"),
        change("tools", [text], ["y"], is_set=True),
        change("nested", {"k": text}, {"k": "y"}),
    )
    operation = replace(
        update("shop/agents/x", *changed),
        display_name=text,
        notes=(text,),
        weakens=(Weakening(code="WEA001", path="x", text=text),),
    )
    return plan(
        operation, create("shop/tools/t", file=text), notices=(text,), refusals=(text,), would_remove=(text,)
    )


def hostile_picture(text: str) -> Picture:
    other = GraphResource(address=at("agents", "b"), display_name=text, body={})
    return picture_of(graph_of(APP, [agent("a", childAgents=["agents/b"]), other]))


def hostile_drift(text: str) -> str:
    items = (
        field_drift(text, tree="x", note=text, display_name=text),
        created(display_name=text, ignored=text),
    )
    return drift_html(report(app(*items, notices=(text,), error=text)), "prod")


def hostile_apply(text: str) -> str:
    """An apply in which everything failed, and every error says this."""
    made = hostile_plan(text)
    one, other = made.shown
    error = InvalidRequest(summary=text, detail=text, status="INVALID_ARGUMENT", http_status=400)
    return outcomes_html(
        made,
        [Failed(operation=one, error=error), Applied(operation=other, not_converged=(text,), note=text)],
        duration=1,
        undone=[NotRolledBack(operation=other, because=text, error=error, lost=(text,))],
        hints={text: text},
    )


def hostile_promotion(text: str) -> str:
    changed = (change("displayName", text, f"{text}!"), change("instruction", f"a\n{text}", f"b\n{text}"))
    other = Settings(place=Place(project=text, location="us"), environment=text)
    differences = (Difference(address=at("agents", "x"), changes=changed),)
    return promotion_html(
        Promotion(source=SETTINGS, target=other, differences=differences, equal=1), hostile_plan(text)
    )


def hostile_merge(text: str) -> str:
    touched = {text: (at("tools", "x"),)}
    merged = MergeOutcome(
        root=Path(), apps=(app_merge(text),), written=(text,), removed=(text,), is_check=True, touched=touched
    )
    return merge_html(merged, hints={text: text})


def hostile_evaluation(text: str) -> str:
    """Everything that the service or a persona says is this."""
    found = RUN.evaluations[0]
    problem = Problem(text=text)
    result = replace(
        found.results[1],
        problems=(problem,),
        persona=text,
        steps=(
            ConversationStep(turn=1, what=text, expected=text, observed=f"{text}!", outcome="FAIL", note=text),
        ),
        scores=(Score(name=text, value=1, threshold=2, outcome="FAIL", explanation=text),),
        expectations=(Expectation(prompt=text, outcome=text, explanation=text),),
    )
    evaluation = replace(
        found,
        demanded=replace(found.demanded, display_name=text),
        results=(result,),
        problems=(problem,),
    )
    comparison = RunComparison(baseline=text, regressions=(text,), notices=(text,))
    return evaluation_html(
        replace(RUN, evaluations=(evaluation,), problems=(problem,), comparison=comparison, notices=(text,)),
        {text: text},
    )


def hostile_release(text: str) -> str:
    return release_html(replace(failed_gate(text), summary=text, not_converged=(text,)), {text: text})


MADE_HOSTILE = (
    hostile_drift,
    hostile_apply,
    hostile_promotion,
    hostile_merge,
    hostile_evaluation,
    hostile_release,
)
"""What makes a page of each report in which everything that others can name is a text."""

TOOL = create("support-desk/tools/track-parcel")
STAMP = operation("support-desk", "update", Reason.STAMP)
WHOLE: tuple[Outcome, ...] = tuple(Applied(operation=item, seconds=0.2) for item in MIXED.operations)
PARTIAL: tuple[Outcome, ...] = (
    Applied(operation=FRONT_DESK, seconds=0.2, not_converged=("modelSettings.temperature", 'metadata["team"]')),
    Failed(
        operation=TOOL,
        seconds=0.3,
        error=InvalidRequest(
            summary="pythonCode: the function has no docstring.",
            detail="Write one.",
            status="INVALID_ARGUMENT",
            http_status=400,
        ),
        writes=1,
    ),
    Skipped(operation=create("support-desk/agents/orders"), because="support-desk/tools/track-parcel"),
    Skipped(operation=STAMP, because="the stamp is unchanged because not everything else was applied"),
    Unknown(
        operation=create("support-desk/tools/faq"),
        error=LostResponse(summary="No answer came.", detail="Run the same command again to find out."),
        seconds=61,
    ),
)
UNDONE: tuple[Undone, ...] = (
    RolledBack(operation=FRONT_DESK, seconds=0.2, writes=1, lost=("the old etag",)),
    NotRolledBack(
        operation=create("support-desk/tools/rate-us"),
        because="somebody changed it since",
        error=Conflict(summary="tools/rate-us changed.", detail="By eve@acme.example."),
    ),
)
HINTS = {"To see what remains": "cesplan plan -e prod", "To continue": "cesplan apply -e prod"}
DEV = Settings(place=Place(project="acme-dev", location="us"), environment="dev")
PROMOTION = Promotion(
    source=DEV,
    target=SETTINGS,
    differences=(
        Difference(address=at("agents", "desk"), changes=FRONT_DESK.changes),
        Difference(address=at("tools", "old"), presence=WhichSide.SOURCE),
        Difference(
            address=at("toolsets", "crm"),
            changes=(
                change("mcpToolset.apiAuthentication.bearerTokenConfig.token", LIVE_TOKEN, SECRET),
                change("mcpToolset.customHeaders", {"X-Key": LIVE_TOKEN}, {"X-Key": SECRET}),
            ),
            secrets=({"mcpToolset": {"customHeaders": {"X-Key": SECRET}}},),
        ),
    ),
    equal=57,
)
ERROR = InvalidConfiguration(
    diagnostics=(
        Diagnostic(
            code="CES012",
            severity=Severity.ERROR,
            summary="`x` <b>",
            place=SourcePlace(file="a.yaml"),
            source_line="x",
        ),
    )
)
DRIFT = report(
    app(
        field_drift(0.9, tree=0.2, path="modelSettings.temperature"),
        field_drift("a\nb", tree="a\nc", drift_class=DriftClass.CONFLICT),
        created(),
    ),
    app(),
)
PAGES = {
    "mixed": plan_html(MIXED, picture_of(desk())),
    "first contact": plan_html(FIRST_CONTACT),
    "refused": plan_html(REFUSED),
    "nothing": plan_html(NOTHING),
    "live edits": plan_html(LIVE_EDITS),
    "since": plan_html(replace(MIXED, since="4f2c9e1" + "0" * 33)),
    "drift": drift_html(DRIFT, "prod"),
    "error": error_html("plan", ERROR, environment="prod", findings=ERROR.diagnostics),
    "denied": error_html(
        "apply", Refused(summary="Refused.", reasons=("a rule", "another")), environment="prod"
    ),
    "applied": outcomes_html(MIXED, WHOLE, duration=76.4),
    "applied in part": outcomes_html(
        MIXED, PARTIAL, duration=62, hints=HINTS, picture=picture_of(desk()), is_all=False
    ),
    "rolled back": outcomes_html(MIXED, PARTIAL[:2], duration=2, undone=UNDONE),
    "not applied": outcomes_html(LIVE_EDITS, PARTIAL[-1:], duration=2),
    "nothing applied": outcomes_html(NOTHING, (), duration=0),
    "promotion": promotion_html(PROMOTION, MIXED, HINTS, picture_of(desk())),
    "merge": merge_html(
        MergeOutcome(
            root=Path(),
            apps=(app_merge(),),
            written=("apps/desk/agents/front-desk.yaml",),
            removed=("apps/desk/tools/gone.yaml",),
            touched={"prod": (at("agents", "desk"),)},
        ),
        environment="dev",
        hints=HINTS,
    ),
    "merge, nothing": merge_html(MergeOutcome(root=Path(), apps=(), is_check=True)),
    "evaluation": evaluation_html(RUN, HINTS),
    "evaluation, passed": evaluation_html(replace(RUN, evaluations=RUN.evaluations[2:], problems=())),
    "gate": release_html(failed_gate(), HINTS),
    "step": release_html(HOLDING),
    "plan of a gate": release_html(PLANNED),
    "equal environments": promotion_html(replace(PROMOTION, differences=()), NOTHING),
    **{
        f"hostile {number}": plan_html(hostile_plan(text), hostile_picture(text))
        for number, text in enumerate(NASTY)
    },
    **{f"{made.__name__} {number}": made(text) for made in MADE_HOSTILE for number, text in enumerate(NASTY)},
}
"""Every page by its name."""
