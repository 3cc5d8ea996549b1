"""A drift report for machines: written by each run, and read again to join the reports of shards."""

from collections.abc import Sequence
from typing import Any, Self

from pydantic import ValidationError

from cesplan.domain.change import FieldChange, Origin
from cesplan.domain.features.drift import AppDrift, DriftClass, DriftItem, DriftKind, DriftReport
from cesplan.domain.field_path import FieldPath
from cesplan.domain.value import Secret, folded
from cesplan.model.kinds import kind_of
from cesplan.render.field_redactor import HIDDEN, redactor_over
from cesplan.render.machine.formats.base import (
    AddressText,
    Document,
    Format,
    check_version,
    json_object,
    optional,
    problems,
)
from cesplan.render.machine.formats.plan import FieldChangeJson, ImpactJson, LiveEditJson, WeakeningJson
from cesplan.render.values import SENSITIVE

_MOST_PROBLEMS = 5
"""Of a document with more, the rest is most likely the same."""


class DriftFieldJson(FieldChangeJson):
    """A field that differs: `before` is live's value, `after` the tree's."""

    language: str = ""
    """The language of long text; empty for other values."""
    is_set: bool = False
    """Whether it is a list whose order does not matter."""
    live_path: str | None = None
    """The path with the positions in live ordered lists, if they differ."""

    def value(self) -> FieldChange:
        before, after = self.before, self.after
        return FieldChange(
            path=FieldPath.parse(self.path),
            mask=self.update_mask,
            action=self.action,
            before=_opened(before) if self.sensitive else before,
            after=_opened(after) if self.sensitive else after,
            language=self.language,
            is_set=self.is_set,
            live_path=FieldPath.parse(self.live_path) if self.live_path else None,
            origin=self.origin,
            edit=self.live_edit.value() if self.live_edit else None,
            typed=self.typed_diff.value() if self.typed_diff else None,
        )


class DriftItemJson(Format):
    """One field that differs, or one resource that only one side has."""

    address: AddressText
    """The resource."""
    drift_class: DriftClass
    """`pending`: the tree changed and was not applied. `drift`: live changed. `conflict`: both changed."""
    kind: DriftKind
    """How the resource changed."""
    origin: Origin
    """Which side changed since the last apply."""
    alarming: bool
    """Whether it counts as drift: `drift` or `conflict`, and not ignored by a rule."""
    display_name: str
    """The display name of the resource."""
    resource: str
    """The full name of the live resource; empty if it is not live."""
    field: DriftFieldJson | None
    """The field that differs, or null for the resource as a whole."""
    live_edit: LiveEditJson | None
    """The live edit that caused the difference; without an author, it is unattributed."""
    merges: bool
    """Whether both sides changed one value and a merge keeps both edits."""
    note: str
    """Notices about it."""
    ignored: str
    """The reason of the rule that ignores it; empty if none does."""
    weakens: tuple[WeakeningJson, ...] | None = optional()
    """How protection was weakened live, or would be weakened by an apply; absent if it is not."""
    impact: ImpactJson | None = optional()
    """What the resource reaches; absent if it takes no part in conversations."""

    @classmethod
    def of(cls, item: DriftItem, **more: Any) -> Self:
        return cls.from_value(
            item,
            field=_field(item),
            live_edit=item.edit,
            weakens=item.weakens or None,
            **more,
        )

    def value(self) -> DriftItem:
        return self.to_value(
            DriftItem,
            change=self.field.value() if self.field else None,
            edit=self.live_edit.value() if self.live_edit else None,
            weakens=tuple(item.value() for item in self.weakens or ()),
            impact=self.impact.value() if self.impact else None,
        )


class CheckedAppJson(Format):
    """One app in one environment of a tree, and how it was checked."""

    app: str
    """
    The key of the app, or `@<location>` for the resources of a location; empty if the tree cannot be read.
    """
    name: str
    """The full name of the live app; empty if it does not exist."""
    tree: str
    """The folder of the tree, as it was given."""
    environment: str
    """The environment from `cesplan.yaml`; empty if none was selected."""
    project: str
    """The id of the Google Cloud project."""
    location: str
    """The location of the app."""
    where: str
    """The service that was read, if it is not the default one."""
    managed: int
    """How many live resources the tree manages."""
    unmanaged: tuple[AddressText, ...]
    """The live resources that the tree does not manage."""
    coverage: float
    """The share of live resources that the tree manages, from 0 to 1."""
    left_out: int
    """How many differences the options leave out."""
    commit: str
    """The commit of the last complete apply; empty if unknown."""
    applied_at: str
    """When that was (RFC 3339); empty if unknown."""
    base: str
    """The source of the last applied state, in words; empty if only two sides were compared."""
    notices: tuple[str, ...]
    """Notices about the app."""
    requests: int
    """How many requests the app took."""
    quick: bool
    """Whether only the resources in the change log were read."""
    former: bool = False
    """Whether the tree was applied to the app but no longer has its folder."""
    error: str
    """Why the app could not be checked; empty if it was."""
    exit_code: int
    """The exit code of that error; 0 without one."""

    @classmethod
    def of(cls, app: AppDrift, **more: Any) -> Self:
        return cls.from_value(app, coverage=round(app.coverage, 4), **more)


class AppDriftJson(CheckedAppJson):
    """One app in one environment of a tree, and its differences."""

    items: tuple[DriftItemJson, ...]
    """The differences, by address."""

    def value(self) -> AppDrift:
        return self.to_value(AppDrift, items=tuple(item.value() for item in self.items))


class DriftSummaryJson(Format):
    """The numbers of a report. Differences that a rule ignores count only as ignored."""

    apps: int
    """How many apps were requested."""
    failed: int
    """How many apps and trees could not be checked."""
    drift: int
    """How many differences are drift."""
    conflict: int
    """How many are conflicts."""
    pending: int
    """How many are pending."""
    converged: int
    """How many have converged."""
    ignored: int
    """How many are ignored."""
    managed: int
    """How many live resources the trees manage."""
    unmanaged: int
    """How many live resources the trees do not manage."""

    @classmethod
    def of(cls, report: DriftReport) -> Self:
        items = [item for app in report.apps for item in app.items]
        seen = [item.drift_class for item in items if not item.ignored]
        return cls(
            apps=len(report.apps),
            failed=sum(1 for app in report.apps if app.error),
            drift=seen.count(DriftClass.DRIFT),
            conflict=seen.count(DriftClass.CONFLICT),
            pending=seen.count(DriftClass.PENDING),
            converged=seen.count(DriftClass.CONVERGED),
            ignored=len(items) - len(seen),
            managed=sum(app.managed for app in report.apps),
            unmanaged=sum(len(app.unmanaged) for app in report.apps),
        )


class DriftReportJson(Document):
    """`cesplan drift --format json`."""

    checked_at: str
    """When the check began (RFC 3339)."""
    seconds: float | None
    """How long it took; null for joined reports."""
    shard: str
    """`<number>/<count>` for a part of the apps; empty for all of them."""
    summary: DriftSummaryJson
    """The numbers of the report."""
    apps: tuple[AppDriftJson, ...]
    """The findings by tree, environment, and app."""
    unused_rules: dict[str, str]
    """Rules of the alarm that have expired or match nothing, and why."""
    fingerprint: str
    """Stays the same while the drift stays the same; empty without drift."""
    alarm_failures: tuple[str, ...]
    """Messages that were not delivered and metrics that were not written, with the reason."""
    exit_code: int
    """The exit code of the command."""

    @classmethod
    def of(
        cls, report: DriftReport, *, exit_code: int, fingerprint: str = "", alarm_failures: Sequence[str] = ()
    ) -> Self:
        return cls.from_value(
            report,
            summary=report,
            unused_rules=report.unused,
            fingerprint=fingerprint,
            alarm_failures=tuple(alarm_failures),
            exit_code=exit_code,
        )

    def value(self) -> DriftReport:
        return self.to_value(
            DriftReport, apps=tuple(app.value() for app in self.apps), unused=self.unused_rules
        )


def read_drift(text: str) -> DriftReport:
    """The report that a JSON text is. Raises ValueError with what is wrong, one line each."""
    document = json_object(text)
    if "apps" not in document:
        raise ValueError("It is not a drift report: write one with `cesplan drift --format json`.")
    check_version(document)
    try:
        return DriftReportJson.model_validate_json(text).value()
    except ValidationError as error:
        raise ValueError("\n".join([*problems(error)][:_MOST_PROBLEMS])) from error


def _field(item: DriftItem) -> DriftFieldJson | None:
    if item.change is None:
        return None
    redactor = redactor_over(kind_of(item.address.kind).spec, ())
    return DriftFieldJson.of(
        item.change,
        redactor,
        language=item.change.language,
        is_set=item.change.is_set,
        live_path=str(item.change.live_path) if item.change.live_path else None,
    )


def _opened(value: Any) -> Any:
    """A redacted value of JSON as a value whose secrets have no text."""
    return folded(value, lambda leaf: HIDDEN if leaf == SENSITIVE else leaf, _variables_of)


def _variables_of(members: dict[str, Any]) -> Any:
    match members:
        case {"$var": str() as name, **rest} if not rest:
            return Secret((name,), "")
        case {"$var": list() as names, **rest} if not rest:
            return Secret(tuple(map(str, names)), "")
    return members
