"""
A plan for machines: `resource_changes[]` in the shape that policy tools know from Terraform, and our own
members.

Nothing is shortened here. A sensitive leaf is `{"$var": name}`, or `"(sensitive)"` where live holds it, and
is marked in `before_sensitive` and `after_sensitive`.
"""

from typing import Any, Self

from pydantic import Field

from cesplan.domain.change import EditKind, FieldAction, FieldChange, LiveEdit, Origin, Weakening
from cesplan.domain.features.impact import Impact, Served, Serving
from cesplan.domain.features.policy import RuleSeverity, RuleVerdict
from cesplan.domain.plan import Action, Made, Operation, Plan, Purpose, Reason, Step, Unmanaged, summary_counts
from cesplan.domain.settings import MaskDepth
from cesplan.domain.text.typed_diff import Meaning, TypedDetail, TypedDiff
from cesplan.domain.value import is_same
from cesplan.render.documents import sorted_members
from cesplan.render.field_redactor import FieldRedactor, redactor_of, sensitive_parts, shown
from cesplan.render.machine.digests import change_digest, plan_digest
from cesplan.render.machine.formats.base import (
    AddressText,
    Document,
    Format,
    Located,
    MaskText,
    StepText,
    optional,
)


class ChangeJson(Format):
    """A resource before and after, as Terraform writes it."""

    actions: tuple[Action]
    """The action on the resource, as a list of one."""
    before: Any
    """The body that live has; null for a create."""
    after: Any
    """The body that live will have; null for a delete."""
    before_sensitive: Any
    """The shape of `before`, reduced to its sensitive leaves, each as true."""
    after_sensitive: Any
    """The same for `after`."""

    @classmethod
    def of(cls, operation: Operation, redactor: FieldRedactor) -> Self:
        before, after = redactor.body(operation.before), redactor.body(operation.after)
        return cls(
            actions=(operation.action,),
            before=sorted_members(shown(before)),
            after=sorted_members(shown(after)),
            before_sensitive=sorted_members(sensitive_parts(before)),
            after_sensitive=sorted_members(sensitive_parts(after)),
        )


class LiveEditJson(Format):
    """An edit of a resource on the service since the last apply."""

    kind: EditKind
    """How the resource was edited."""
    author: str
    """The author, according to the change log; empty if unattributed."""
    time: str
    """When (RFC 3339), according to the change log; empty if unattributed."""
    cause: str = ""
    """The full name of the resource whose deletion changed this one as a side effect; empty if none."""

    def value(self) -> LiveEdit:
        return self.to_value(LiveEdit)


class TypedDetailJson(Format):
    """One change in the meaning of a text."""

    text: str
    """A line for people."""
    code: str
    """The rule, such as `OAS001`, which `cesplan validate --explain` explains; empty if there is none."""
    breaking: bool
    """Whether a caller that relied on the text before may fail."""


class TypedDiffJson(Format):
    """What the difference between two texts means in their language."""

    verdict: str
    """A few words, such as `comments and formatting only`."""
    meaning: Meaning
    """Whether the meaning is the `same`, has `changed`, or is `unread`: only lines could be compared."""
    breaking: bool
    """Whether any of the details is breaking."""
    details: tuple[TypedDetailJson, ...]
    """The changes, breaking ones first."""

    def value(self) -> TypedDiff:
        return self.to_value(TypedDiff, details=tuple(item.to_value(TypedDetail) for item in self.details))


def _is_empty(value: Any) -> bool:
    return not value


class FieldChangeJson(Format):
    """One leaf that differs."""

    path: str
    """The field; list elements are given by key, or by position from 0."""
    action: FieldAction
    """The action on the field. A `moved` value is an element of an ordered list that is otherwise equal."""
    before: Any
    """The value that live has; for a moved element, its position."""
    after: Any
    """The value that live will have; for a moved element, its position."""
    sensitive: bool
    """Whether a part of `before` or `after` is hidden."""
    update_mask: MaskText
    """The path of an updateMask that changes the field."""
    origin: Origin = Origin.UNKNOWN
    """Which side changed since the last apply."""
    live_edit: LiveEditJson | None = None
    """The live edit that this reverts."""
    typed_diff: TypedDiffJson | None = optional()
    """For long texts: what the difference means in their language; absent for other values."""

    @classmethod
    def of(cls, change: FieldChange, redactor: FieldRedactor, **more: Any) -> Self:
        before, after = redactor.sides(change)
        return cls.from_value(
            change,
            path=str(change.path),
            before=shown(before),
            after=shown(after),
            sensitive=bool(sensitive_parts(before) or sensitive_parts(after)),
            update_mask=change.mask,
            live_edit=change.edit,
            typed_diff=change.typed,
            **more,
        )


class WeakeningJson(Format):
    """One way in which protection is weakened."""

    code: str
    """The rule, such as `WEA001`, which `cesplan validate --explain` explains."""
    path: str
    """The field; empty for the resource as a whole."""
    text: str
    """The effect, as one line of text."""

    def value(self) -> Weakening:
        return self.to_value(Weakening)


class ServingJson(Format):
    """A deployment of the app, after the plan."""

    deployment: AddressText
    """The deployment."""
    versions: tuple[str, ...]
    """The keys of the versions that it serves; `-` is the draft."""
    served: Served
    """
    When it serves the change: `at_once` (it serves the draft), `in_this_plan` (it serves a version that this
    plan makes), or `no` (it serves versions that exist already).
    """

    def value(self) -> Serving:
        return self.to_value(Serving)


class ImpactJson(Format):
    """The impact of a change: for a delete as it is now, otherwise as it will be after the plan."""

    is_root: bool
    """Whether this is the agent with which conversations begin."""
    is_reached: bool
    """Whether references lead to it from the root agent or from the app."""
    way: tuple[AddressText, ...]
    """
    The shortest path from the root agent, at most its last 20 resources; empty if the app itself refers to it.
    """
    agents: tuple[AddressText, ...]
    """The agents that reach it through references, nearest first, at most 100."""
    agent_count: int
    """The exact number."""
    app_agents: int
    """How many agents the app has."""
    deployments: tuple[ServingJson, ...]
    """The deployments of the app, at most 100."""
    evaluations: tuple[AddressText, ...] | None
    """
    The evaluations that run through it, the nearest first, at most 100; null where the API version has none.
    For a tool, those that expect it to be called; for an agent, those that expect a transfer to it; for the
    root agent, all.
    """
    evaluation_count: int
    """The exact number."""
    app_evaluations: int
    """How many evaluations the app has."""

    def value(self) -> Impact:
        return self.to_value(Impact, deployments=tuple(item.value() for item in self.deployments))


class StepJson(Format):
    """One write of an operation."""

    id: StepText
    """The address of the resource, with the purpose in parentheses unless it is `main`."""
    purpose: Purpose
    """Why a separate write is needed."""
    write: Action
    """The method that is called."""
    update_mask: tuple[MaskText, ...]
    """The paths that an update names; empty for other writes."""
    after: tuple[StepText, ...]
    """The steps that must be done before."""
    force: bool
    """Whether a delete also removes references to the resource."""

    @classmethod
    def of(cls, step: Step) -> Self:
        return cls.from_value(step, purpose=step.id.purpose, write=step.action, update_mask=step.mask)


class ResourceChange(Format):
    """The planned change of a resource."""

    address: AddressText
    """`<app>`, `<app>/<kind>/<key>`, or `@<location>/<kind>`."""
    type: str
    """The kind of the resource."""
    name: str
    """The key of the resource."""
    change: ChangeJson
    """The resource before and after."""
    action_reason: Reason
    """The reason for the planned action."""
    origin: Origin = Origin.UNKNOWN
    """Which side changed since the last apply, over all fields."""
    reverts: bool = False
    """Whether this reverts a live edit, or may revert one because its origin is unknown."""
    live_edit: LiveEditJson | None = None
    """The newest live edit that this reverts."""
    weakens: tuple[WeakeningJson, ...] = Field(default=(), exclude_if=_is_empty)
    """How this weakens protection; absent if it does not."""
    impact: ImpactJson | None = optional()
    """The impact of the operation; absent for resources that take no part in conversations."""
    resource_id: str
    """The id on the server; empty if the server will choose it."""
    display_name: str
    """The display name of the resource."""
    file: str
    """The file of the resource in the tree; empty for a delete."""
    update_mask: tuple[MaskText, ...]
    """All paths that updates of this resource name."""
    etag: str
    """The etag of the resource when it was read; empty if it has none."""
    json_patch: tuple[dict[str, Any], ...]
    """A JSON Patch (RFC 6902) from `before` to `after`; updates only."""
    field_changes: tuple[FieldChangeJson, ...]
    """The fields that differ; for updates only."""
    steps: tuple[StepJson, ...]
    """The writes, in an order in which they could be sent."""
    used_by: tuple[AddressText, ...]
    """
    The resources that refer to it: for a delete as it is now, otherwise as it will be after the plan.
    """
    still_used_by: tuple[AddressText, ...] = ()
    """For a delete, the resources that still refer to it: a forced delete removes their references."""
    notes: tuple[str, ...]
    """Notices about this change."""
    change_digest: str
    """`sha256:` and 64 hex digits over address, action, mask, and before and after at the mask."""

    @classmethod
    def of(cls, operation: Operation) -> Self:
        redactor = redactor_of(operation)
        change = ChangeJson.of(operation, redactor)
        return cls.from_value(
            operation,
            type=operation.address.kind,
            name=operation.address.key,
            change=change,
            action_reason=operation.reason,
            live_edit=operation.edit,
            update_mask=operation.mask,
            json_patch=_json_patch(operation, change),
            field_changes=tuple(FieldChangeJson.of(item, redactor) for item in operation.changes),
            change_digest=change_digest(operation, redactor),
        )


def _json_patch(operation: Operation, change: ChangeJson) -> tuple[dict[str, Any], ...]:
    """RFC 6902: what leads from before to after. A secret that changes shows only that it does."""
    if operation.action is not Action.UPDATE or operation.before is None:
        return ()
    import jsonpatch  # lazily: only machines read patches

    # What is the same adds nothing to a patch, and comparing it would take half of the time of a plan file.
    before, after = change.before, change.after or {}
    same = {name for name in before if name in after and is_same(before[name], after[name])}
    old, new = ({name: side[name] for name in side if name not in same} for side in (before, after))
    return tuple(jsonpatch.make_patch(old, new).patch)


class SummaryJson(Format):
    """The number of resources by planned action."""

    create: int
    """How many are created."""
    update: int
    """How many are updated."""
    delete: int
    """How many are deleted."""
    unchanged: int
    """How many are managed and unchanged."""
    reverts: int = 0
    """How many of the changes revert live edits."""

    @classmethod
    def of(cls, plan: Plan) -> Self:
        return cls(**summary_counts(plan))


class UnmanagedJson(Format):
    """A live resource that the plan leaves alone although the tree does not have it."""

    address: AddressText
    """The resource."""
    display_name: str
    """The display name."""
    why: str
    """Why it is left alone."""

    def value(self) -> Unmanaged:
        return self.to_value(Unmanaged)


class VerdictJson(Format):
    """The verdict of a policy rule on one operation."""

    rule: str
    """The name of the rule."""
    severity: RuleSeverity
    """The severity of the rule."""
    address: AddressText
    """The resource of the operation."""
    message: str
    """The problem."""
    approved: bool
    """Whether a person has approved it, with `--allow-policy`."""

    def value(self) -> RuleVerdict:
        return self.to_value(RuleVerdict)


class MadeJson(Format):
    """How the plan was made. No digest covers it."""

    at: str = ""
    """When, RFC 3339; empty if unknown."""
    commit: str = ""
    """The full id of the commit of the tree; empty outside git."""
    dirty: bool = False
    """Whether the tree differed from that commit."""
    cesplan_version: str = ""
    """The version of cesplan that made the plan."""

    @classmethod
    def of(cls, run: Made, **more: Any) -> Self:
        return cls.from_value(run, cesplan_version=run.version, **more)


class PlanJson(Located):
    """A plan."""

    api_version: str
    """The API version."""
    endpoint: str
    """The endpoint of the API: empty for the default, `regional`, or a URL."""
    emulated: bool
    """Whether the service is an emulator."""
    mask_depth: MaskDepth
    """How deep the paths of an updateMask go."""
    resource_changes: tuple[ResourceChange, ...]
    """The operation on each resource that changes, in an order in which they can be applied."""
    summary: SummaryJson
    """The numbers of the plan. The stamp of an app does not count."""
    would_remove: tuple[str, ...]
    """Resources and values that stay because this is first contact, one line each."""
    unmanaged: tuple[UnmanagedJson, ...]
    """Live resources that the plan leaves alone although the tree does not have them."""
    notices: tuple[str, ...]
    """Notices about the plan."""
    refusals: tuple[str, ...]
    """Why apply refuses the plan."""
    policy: tuple[VerdictJson, ...] = ()
    """The verdicts of the tree's policy on the plan."""
    since: str = Field(default="", exclude_if=_is_empty)
    """The commit whose tree is compared instead of live (`--since`); absent if live was read."""
    targets: tuple[str, ...]
    """The patterns given with `--target`."""
    excludes: tuple[str, ...]
    """The patterns given with `--exclude`."""
    left_out: tuple[AddressText, ...]
    """Resources that would change but are excluded by the patterns."""
    requests: int
    """How many requests the plan took."""
    plan_digest: str
    """`sha256:` and 64 hex digits over the place, and each change with its etag and its writes."""
    made: MadeJson | None = optional()
    """When the plan was made, from which commit, and by which version; absent if that is unknown."""

    @classmethod
    def of(cls, plan: Plan, **more: Any) -> Self:
        settings = plan.settings
        changes = tuple(map(ResourceChange.of, plan.operations))
        return cls.from_value(
            plan,
            settings,
            settings.place,
            resource_changes=changes,
            summary=plan,
            policy=plan.verdicts,
            targets=plan.choice.only,
            excludes=plan.choice.exclude,
            plan_digest=plan_digest(plan, [item.change_digest for item in changes]),
            **more,
        )


class PlanReport(PlanJson, Document):
    """`cesplan plan --format json`, and `cesplan show --format json`."""
