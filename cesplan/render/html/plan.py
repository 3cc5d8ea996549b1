"""A plan as a page: the riskiest changes first, every change with both sides, and everything to be written."""

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from cesplan.domain.address import Address
from cesplan.domain.change import Weakening
from cesplan.domain.frozen import dataclass
from cesplan.domain.plan import Action, Operation, Plan, Reason, Unmanaged, summary_counts
from cesplan.domain.text.words import sentence
from cesplan.render.field_redactor import redactor_of
from cesplan.render.html.fields import Field, body_rows, field_of
from cesplan.render.html.heading import Heading, Looks, VerdictMark
from cesplan.render.html.page import anchor, rendered
from cesplan.render.html.picture import Picture
from cesplan.render.impact import impact_of, serving_of
from cesplan.render.machine.digests import plan_digest
from cesplan.render.places import element_name
from cesplan.render.plan_words import made_words, reason_of, since_words, undone_counts
from cesplan.render.reading_order import Concern, concern_of, in_reading_order
from cesplan.render.text.operation import force_text, sign_of

NO_PICTURE = Picture()
_SHORT = 3
"""The most operations of a plan that can be read at a glance."""

OperationKey: TypeAlias = tuple[Address, Action]
NO_RESULTS: Mapping[OperationKey, VerdictMark] = {}

_TITLES = {
    Concern.DELETE_OF_LIVE_EDIT: "Deletes",
    Concern.DELETE: "Deletes",
    Concern.REVERT: "Reverts of live edits",
    Concern.WEAKENS: "Weakened protection",
    Concern.SERVES: "Deployments",
    Concern.CHANGE: "Changes",
    Concern.NEW: "New",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationEntry:
    """One operation."""

    anchor: str
    result: VerdictMark | None
    """Its outcome, if the plan was carried out."""
    sign: str
    action: str
    address: str
    display_name: str
    reason: str
    warnings: tuple[str, ...]
    reach: str
    fields: tuple[Field, ...]
    mask: str
    body: tuple[str, ...]
    """Every line of a resource that is created or deleted."""
    files: tuple[str, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Operations that are read together."""

    title: str
    entries: tuple[OperationEntry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanView:
    """Everything that a page shows of a plan."""

    counts: Mapping[str, int]
    unchanged: int
    undone: str
    blockers: tuple[str, ...]
    warned: tuple[str, ...]
    weakened: tuple[tuple[str, Weakening], ...]
    serving: tuple[str, ...]
    groups: tuple[Group, ...]
    picture: Picture
    would_remove: tuple[str, ...]
    unmanaged: tuple[Unmanaged, ...]
    left_out: tuple[str, ...]
    notices: tuple[str, ...]
    sides: tuple[str, str]

    @property
    def is_long(self) -> bool:
        """True if the page begins with a table of contents and the graph, because it has many changes."""
        return sum(len(group.entries) for group in self.groups) > _SHORT


def plan_html(plan: Plan, picture: Picture = NO_PICTURE) -> str:
    """The page of a plan. `picture` is the graph of its changes; a picture without boxes is not shown."""
    settings = plan.settings
    since = since_words(plan.since) if plan.since else ""
    verdict, looks = _verdict(plan)
    heading = Heading(
        title="Changes in the tree" if plan.since else "Plan",
        environment=settings.environment,
        where=since or settings.place.short,
        service=settings.where,
        verdict=verdict,
        looks=looks,
        facts=tuple(filter(None, [made_words(plan.made)])),
    )
    return rendered("plan.html.j2", heading=heading, view=plan_view(plan, picture), digest=plan_digest(plan))


def plan_view(
    plan: Plan, picture: Picture = NO_PICTURE, results: Mapping[OperationKey, VerdictMark] = NO_RESULTS
) -> PlanView:
    """A plan as part of a page. `results` are the outcomes of its operations, if it was carried out."""
    return PlanView(
        counts={str(action): summary_counts(plan)[action] for action in Action},
        unchanged=plan.unchanged,
        undone=sentence(undone_counts(plan.reverts)),
        blockers=plan.blockers,
        warned=tuple(item.text for item in plan.verdicts if item.text not in plan.blockers),
        weakened=tuple((str(item.address), found) for item in plan.operations for found in item.weakens),
        serving=serving_of(plan),
        groups=tuple(_groups(plan, results)),
        picture=picture,
        would_remove=plan.would_remove,
        unmanaged=plan.unmanaged,
        left_out=tuple(map(str, plan.left_out)),
        notices=plan.notices,
        sides=(f"at {plan.since[:12]}", "now") if plan.since else ("live", "after the apply"),
    )


def anchors_of(plan: Plan) -> dict[OperationKey, str]:
    """The anchors of the operations on the page of a plan."""
    return {key_of(operation): anchor(number) for number, operation in enumerate(in_reading_order(plan.shown))}


def key_of(operation: Operation) -> OperationKey:
    """The key of an operation in a plan; a plan may both delete and create the same resource."""
    return operation.address, operation.action


def _verdict(plan: Plan) -> tuple[str, Looks]:
    """The verdict above the numbers; empty if the numbers say it."""
    if plan.blockers:
        return "Apply will refuse this plan", Looks.BAD
    if plan.is_empty:
        return "No changes", Looks.GOOD
    return "", Looks.QUIET


def _groups(plan: Plan, results: Mapping[OperationKey, VerdictMark]) -> Iterator[Group]:
    anchors = anchors_of(plan)
    found: dict[str, list[OperationEntry]] = {}
    for operation in in_reading_order(plan.shown):
        key = key_of(operation)
        entry = _entry(operation, plan, anchors[key], results.get(key))
        found.setdefault(_TITLES[concern_of(operation)], []).append(entry)
    for title, entries in found.items():
        yield Group(title=title, entries=tuple(entries))


def _entry(operation: Operation, plan: Plan, place: str, result: VerdictMark | None) -> OperationEntry:
    redactor = redactor_of(operation)
    is_update = operation.action is Action.UPDATE
    whole = operation.before if operation.action is Action.DELETE else operation.after
    return OperationEntry(
        anchor=place,
        result=result,
        sign=sign_of(operation),
        action=str(operation.action),
        address=str(operation.address),
        display_name=operation.display_name if operation.display_name != operation.address.key else "",
        reason="" if operation.reason is Reason.FIELD_CHANGED else reason_of(operation),
        warnings=tuple(_warnings(operation, plan)),
        reach=impact_of(operation),
        fields=tuple(
            field_of(item, redactor, element_name(item.path, operation, redactor)) for item in operation.changes
        ),
        mask=", ".join(map(str, operation.mask)),
        body=() if is_update else body_rows(redactor, whole),
        files=tuple(f"{path}: {file}" for path, file in sorted(operation.files.items()))
        if not is_update
        else (),
        notes=operation.notes,
    )


def _warnings(operation: Operation, plan: Plan) -> Iterator[str]:
    if operation.undoes:
        yield sentence(operation.undoes)
    yield from (f"{item.severity}: {item.text}" for item in plan.verdicts if item.address == operation.address)
    yield from (f"weakens protection: {item.text} ({item.code})" for item in operation.weakens)
    if any(step.force for step in operation.steps):
        yield force_text(operation)
