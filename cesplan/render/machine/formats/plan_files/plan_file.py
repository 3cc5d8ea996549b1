"""
A plan as a file: the JSON of the plan, and beside each part, as `apply`, what apply needs to carry it out.

A secret is the name of its variable; apart from the order and the ids, a file contains nothing that the JSON of
the plan does not show.
"""

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Annotated, Any, Self, TypeAlias, get_type_hints

from pydantic import (
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    PlainValidator,
    WithJsonSchema,
    create_model,
    model_validator,
)

from cesplan.domain.address import AppKey, parse_address
from cesplan.domain.app_metadata.stamp import is_commit_id
from cesplan.domain.change import FieldChange
from cesplan.domain.choice import Choice
from cesplan.domain.field_path import Element, Entry, FieldPath, Index, Segment
from cesplan.domain.naming import Naming
from cesplan.domain.options import Allowances
from cesplan.domain.plan import Made, Operation, Plan, Step
from cesplan.domain.resource_name import SEGMENT_PATTERN, Place
from cesplan.domain.reviewed import Copied, PlanFileError, Reviewed, Seen
from cesplan.domain.settings import SETTINGS, MaskDepth, Settings
from cesplan.domain.value import as_object, is_number, is_same
from cesplan.render.documents import lines_of
from cesplan.render.field_redactor import FieldRedactor, redactor_of, shown
from cesplan.render.machine.digests import ids_of
from cesplan.render.machine.formats.base import Format
from cesplan.render.machine.formats.plan import MadeJson, PlanReport, ResourceChange, StepJson
from cesplan.render.machine.formats.plan_files.sealing import SecretJson, sealed, secret_places, unsealed
from cesplan.render.machine.formats.plan_files.sent_bodies import planned_body, sent_body

AGAIN = "Make it again:\n\n    cesplan plan --out FILE"
_Secrets: TypeAlias = tuple[SecretJson, ...]


def _segment(item: Any) -> Segment:
    match item:
        case str() | Index() | Entry() | Element():
            return item
        case {"index": int() as position}:
            return Index(position)
        case {"entry": str() as key}:
            return Entry(key)
        case {"field": str() as field, "value": str() as value}:
            return Element(field, value)
    raise ValueError("should be a part of a path")


def _segment_json(segment: Segment) -> Any:
    match segment:
        case str():
            return segment
        case Index():
            return {"index": segment.position}
        case Entry():
            return {"entry": segment.key}
        case Element():
            return {"field": segment.field, "value": segment.value}


def _object(**members: str) -> dict[str, Any]:
    properties = {name: {"type": kind} for name, kind in members.items()}
    return {"type": "object", "properties": properties, "required": [*properties]}


SegmentJson: TypeAlias = Annotated[
    Segment,
    PlainValidator(_segment),
    PlainSerializer(_segment_json),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string"},
                _object(index="integer"),
                _object(entry="string"),
                _object(field="string", value="string"),
            ]
        }
    ),
]


class FieldNeeds(Format):
    """What else apply needs of a field that differs."""

    segments: tuple[SegmentJson, ...]
    """
    The parts of the path: field names, positions, map keys, and elements identified by one of their fields.
    """
    language: str
    """The language of long text; empty for other values."""
    is_set: bool
    """Whether it is a list whose order does not matter."""
    before_secrets: _Secrets
    """The secrets in `before`."""
    after_secrets: _Secrets
    """The secrets in `after`."""

    @classmethod
    def of(cls, change: FieldChange, redactor: FieldRedactor) -> Self:
        before, after = redactor.sides(change)
        return cls(
            segments=change.path.segments,
            language=change.language,
            is_set=change.is_set,
            before_secrets=sealed(before),
            after_secrets=sealed(after),
        )


class SentBody(Format):
    """The body of one step, with references as `<kind>/<key>`."""

    body: dict[str, Any] | None
    """The body; null if it is `after` of the change or, with an `update_mask`, those fields of it."""
    secrets: _Secrets
    """The secrets in it."""

    @classmethod
    def of(cls, body: Any, step: Step, after: Any) -> Self:
        """`after` is the value as the change shows it."""
        members = shown(body)
        is_planned = after is not None and is_same(members, planned_body(after, step.mask))
        return cls(body=None if is_planned else members, secrets=sealed(body))

    def value(self, step: StepJson, after: Any, variables: Mapping[str, str]) -> Any:
        """The body, with the texts of secrets of which the variables are given."""
        members = planned_body(after, step.update_mask) if self.body is None else self.body
        return unsealed(members, self.secrets, variables)


class ResourceNeeds(Format):
    """What else apply needs of a resource."""

    files: dict[str, str]
    """The files that hold fields of the resource, by the path of the field."""
    before_secrets: _Secrets
    """The secrets in `before`."""
    after_secrets: _Secrets
    """The secrets in `after`."""
    bodies: tuple[SentBody, ...]
    """The body that each of the `steps` sends."""
    changes: tuple[FieldNeeds, ...]
    """Additional data for each of the `field_changes`."""
    updated: str
    """The server's time of the last change of the resource (RFC 3339)."""
    strangers: tuple[str, ...]
    """Parts that the plan replaces and that cesplan does not know."""

    @classmethod
    def of(cls, operation: Operation, seen: Seen, depth: MaskDepth, after: Any) -> Self:
        """`after` is the value as the change shows it."""
        redactor = redactor_of(operation)
        sent = ((step, sent_body(operation, step, redactor, depth)) for step in operation.steps)
        return cls(
            files=dict(operation.files),
            before_secrets=sealed(redactor.body(operation.before)),
            after_secrets=sealed(redactor.body(operation.after)),
            bodies=tuple(SentBody.of(body, step, after) for step, body in sent),
            changes=tuple(FieldNeeds.of(item, redactor) for item in operation.changes),
            updated=seen.updated,
            strangers=seen.strangers,
        )


class FiledChange(ResourceChange):
    """The planned change of a resource, and what apply needs for it."""

    apply: ResourceNeeds
    """What else apply needs."""

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if len(self.steps) != len(self.apply.bodies) or len(self.field_changes) != len(self.apply.changes):
            raise ValueError("lacks fields that apply needs for its steps and field changes")
        if not isinstance(self.change.after, dict) and any(item.body is None for item in self.apply.bodies):
            raise ValueError("lacks a body to send")
        return self

    @classmethod
    def filed(cls, change: ResourceChange, needs: ResourceNeeds) -> Self:
        return cls(**{**dict(change), "apply": needs})

    def value(self, variables: Mapping[str, str]) -> Operation:
        """The operation, with the texts of secrets whose variables are given."""

        def opened(value: Any, secrets: _Secrets) -> Any:
            return unsealed(value, secrets, variables)

        return Operation(
            address=self.address,
            action=self.change.actions[0],
            reason=self.action_reason,
            steps=tuple(
                Step(
                    id=step.id,
                    action=step.write,
                    body=sent.value(step, self.change.after, variables),
                    mask=step.update_mask,
                    after=step.after,
                    force=step.force,
                )
                for step, sent in zip(self.steps, self.apply.bodies, strict=True)
            ),
            resource_id=self.resource_id,
            display_name=self.display_name,
            changes=tuple(
                FieldChange(
                    path=FieldPath(needs.segments),
                    mask=item.update_mask,
                    action=item.action,
                    before=opened(item.before, needs.before_secrets),
                    after=opened(item.after, needs.after_secrets),
                    language=needs.language,
                    is_set=needs.is_set,
                    origin=item.origin,
                    edit=item.live_edit.value() if item.live_edit else None,
                    typed=item.typed_diff.value() if item.typed_diff else None,
                )
                for item, needs in zip(self.field_changes, self.apply.changes, strict=True)
            ),
            before=opened(self.change.before, self.apply.before_secrets),
            after=opened(self.change.after, self.apply.after_secrets),
            etag=self.etag,
            used_by=self.used_by,
            still_used_by=self.still_used_by,
            file=self.file,
            files=self.apply.files,
            notes=self.notes,
            origin=self.origin,
            reverts=self.reverts,
            edit=self.live_edit.value() if self.live_edit else None,
            weakens=tuple(item.value() for item in self.weakens),
            impact=self.impact.value() if self.impact else None,
        )


class _SettingsBase(Format):
    """All settings of an environment."""

    project: str
    """The id of the Google Cloud project."""
    location: str
    """The location of the apps."""
    environment: str
    """The environment of `cesplan.yaml`; empty if none was selected."""

    @classmethod
    def of(cls, settings: Settings) -> Self:
        members = {item.name: getattr(settings, item.name) for item in fields(settings) if item.name != "place"}
        return cls(project=settings.place.project, location=settings.place.location, **members)

    def value(self) -> Settings:
        members = dict(self)
        place = Place(project=members.pop("project"), location=members.pop("location"))
        made = Settings(place=place, **members)
        if problem := made.problem:
            raise _unusable(problem)
        return made


def _settings_fields() -> dict[str, Any]:
    """The other members, from the table of settings."""
    hints = get_type_hints(Settings)
    docs = {row.field: row.doc for row in SETTINGS.values()} | {"emulated": "Whether an emulator answers."}
    rest = (item for item in fields(Settings) if item.name not in ("place", "environment"))
    return {item.name: (hints[item.name], Field(item.default, description=docs[item.name])) for item in rest}


if TYPE_CHECKING:

    class SettingsJson(_SettingsBase): ...

else:
    SettingsJson = create_model(
        "SettingsJson", __base__=_SettingsBase, __doc__=_SettingsBase.__doc__, **_settings_fields()
    )


class NamingJson(Format):
    """The keys and ids of the resources of an app. A resource is written `<kind>/<key>` or `<kind>/<id>`."""

    project: str
    """The id of the Google Cloud project."""
    location: str
    """The location of the app."""
    app_id: str
    """The id of the app; empty if the server will choose it."""
    ids: dict[str, str]
    """Ids that are not the key, by kind and key."""
    keys: dict[str, str]
    """Keys of live resources, by kind and id."""
    aliases: dict[str, str]
    """References that another resource satisfies, with that resource."""
    project_aliases: tuple[str, ...]
    """Other spellings of the project: its number."""

    @classmethod
    def of(cls, naming: Naming) -> Self:
        return cls(
            project=naming.place.project,
            location=naming.place.location,
            app_id=naming.app_id,
            ids=ids_of(naming),
            keys={f"{kind}/{id_}": naming.keys[kind, id_] for kind, id_ in sorted(naming.keys)},
            aliases=dict(sorted(naming.aliases.items())),
            project_aliases=tuple(sorted(naming.project_aliases)),
        )

    def value(self) -> Naming:
        for text in (self.app_id, *self.ids.values()):
            if text and not SEGMENT_PATTERN.fullmatch(text):  # an id that the service will choose is empty
                raise PlanFileError(
                    summary=f"The plan file cannot be used: `{text}` is not an id.", detail=AGAIN
                )
        return Naming(
            place=Place(project=self.project, location=self.location),
            app_id=self.app_id,
            ids={_pair(text): id_ for text, id_ in self.ids.items()},
            keys={_pair(text): key for text, key in self.keys.items()},
            aliases=self.aliases,
            project_aliases=frozenset(self.project_aliases),
        )


def _unusable(problem: str) -> PlanFileError:
    return PlanFileError(summary=f"The plan file cannot be used: {problem}.", detail=AGAIN)


def _pair(text: str) -> tuple[str, str]:
    kind, _, name = text.partition("/")
    return kind, name


class AllowancesJson(Format):
    """The flags that weaken the guard; the guard runs again before the plan is applied."""

    model_config = ConfigDict(extra="forbid")  # an allowance must not be ignored

    delete: tuple[str, ...] = ()
    """Addresses given with `--allow-delete`."""
    mass_delete: bool = False
    """`--allow-mass-delete`."""
    unlock: bool = False
    """`--allow-unlock`."""
    empty: bool = False
    """`--allow-empty`."""
    policy: tuple[str, ...] = ()
    """Names of rules given with `--allow-policy`."""
    revert: tuple[str, ...] = ()
    """Addresses given with `--allow-revert`, or `all`."""

    @classmethod
    def of(cls, allowances: Allowances) -> Self:
        given: dict[str, Any] = {item.name: getattr(allowances, item.name) for item in fields(allowances)}
        return cls(**{name: _listed(value) for name, value in given.items()})

    def value(self) -> Allowances:
        given: dict[str, Any] = {name: _set_of(value) for name, value in self}
        return Allowances(**given)


def _set_of(value: Any) -> Any:
    return frozenset(value) if isinstance(value, tuple) else value


def _listed(value: Any) -> Any:
    return tuple(sorted(value)) if isinstance(value, frozenset) else value


class CopiedJson(Format):
    """The planned state of a resource that a version would copy, or that is deleted with its app."""

    digest: str
    """The digest of its body; empty if the body contains a secret or a field that cesplan does not know."""
    etag: str
    """The etag of the resource."""
    updated: str
    """The server's time of its last change (RFC 3339)."""

    @classmethod
    def of(cls, item: Copied) -> Self:
        return cls.from_value(item)

    def value(self) -> Copied:
        return self.to_value(Copied)


class PlanNeeds(Format):
    """What else apply needs of the plan."""

    settings: SettingsJson
    """The settings of the environment that the plan is for."""
    namings: dict[str, NamingJson]
    """The keys and ids of the resources of each app."""
    allowances: AllowancesJson
    """The flags that weaken the guard."""
    copied: dict[str, dict[str, CopiedJson]]
    """The resources that a version would copy, or that are deleted with an app, by app and address."""
    sequences: dict[str, int]
    """The position in the change log of each app before it was read."""
    stamps: dict[str, str]
    """The stamp that each app had."""
    variables: tuple[str, ...] = ()
    """The secret variables whose values apply needs again, sorted."""
    secret_sources: dict[str, str] = Field(default_factory=dict)
    """The sources of secrets that are not in the environment: `secret: {from: …}`, by variable."""
    versions: dict[str, str] = Field(default_factory=dict)
    """Creation times of the live versions that the plan will name (RFC 3339), by address."""

    @classmethod
    def of(cls, reviewed: Reviewed) -> Self:
        plan = reviewed.plan
        variables = sorted({name for item in plan.operations for name in _variables(item)})
        return cls(
            settings=SettingsJson.of(plan.settings),
            namings={key: NamingJson.of(naming) for key, naming in sorted(plan.namings.items())},
            allowances=AllowancesJson.of(plan.allowances),
            copied={
                app: {str(address): CopiedJson.of(item) for address, item in sorted(copied.items())}
                for app, copied in sorted(reviewed.copied.items())
            },
            sequences=dict(sorted(plan.sequences.items())),
            stamps=dict(sorted(plan.stamps.items())),
            versions={str(address): time for address, time in sorted(reviewed.versions.items())},
            variables=tuple(variables),
            secret_sources={
                name: plan.secret_sources[name] for name in variables if name in plan.secret_sources
            },
        )


def _variables(operation: Operation) -> Iterator[str]:
    bodies = (operation.before, operation.after, *(step.body for step in operation.steps))
    values = [*bodies, *(value for one in operation.changes for value in (one.before, one.after))]
    return (name for value in values for _, secret in secret_places(value) for name in secret.variables)


class MadeFiled(MadeJson):
    """How the plan was made. No digest covers it."""

    seconds: float | None = None
    """How long planning took."""

    def value(self) -> Made | None:
        made = self.to_value(Made, version=self.cesplan_version)
        return made if made.version else None


def _made_leniently(value: Any) -> MadeFiled:
    """No digest covers it, so it may be anything."""
    if isinstance(value, MadeFiled):
        return value
    members = as_object(value)
    seconds = members.get("seconds")
    commit = str(members.get("commit") or "")
    return MadeFiled(
        at=str(members.get("at") or ""),
        commit=commit if is_commit_id(commit) else "",
        dirty=members.get("dirty") is True,
        cesplan_version=str(members.get("cesplan_version") or ""),
        seconds=seconds if is_number(seconds) and seconds >= 0 else None,
    )


class PlanFile(PlanReport):
    """The file that `cesplan plan --out` writes and `cesplan apply` carries out."""

    resource_changes: tuple[FiledChange, ...]
    """The operation on each resource that changes, in an order in which they can be applied."""
    apply: PlanNeeds
    """What else apply needs."""
    made: Annotated[MadeFiled, BeforeValidator(_made_leniently)] = MadeFiled()
    """When the plan was made, from which commit, by which version, and how long that took."""
    file_digest: str
    """`sha256:` and 64 hex digits over all members but this one and `made`."""

    def text(self) -> str:
        return lines_of(self.document())

    @classmethod
    def filed(cls, reviewed: Reviewed) -> Self:
        """The file of a plan, without its digest. Raises CesplanError for a secret of unknown origin."""
        plan = reviewed.plan
        report = PlanReport.of(plan)
        depth = plan.settings.mask_depth
        needs = [
            ResourceNeeds.of(item, reviewed.seen.get(item.address, Seen()), depth, change.change.after)
            for item, change in zip(plan.operations, report.resource_changes, strict=True)
        ]
        changes = tuple(map(FiledChange.filed, report.resource_changes, needs))
        made = MadeFiled.of(replace(plan.made or Made(), at=reviewed.made_at), seconds=reviewed.seconds)
        more = {"resource_changes": changes, "apply": PlanNeeds.of(reviewed), "made": made, "file_digest": ""}
        return cls(**{**dict(report), **more})

    def value(self, variables: Mapping[str, str]) -> Reviewed:
        """
        The plan, with the texts of secrets whose variables are given. Raises PlanFileError, and LookupError or
        TypeError for a secret in a place that its value does not have.
        """
        return Reviewed(
            plan=Plan(
                settings=self.apply.settings.value(),
                operations=tuple(item.value(variables) for item in self.resource_changes),
                namings={key: item.value() for key, item in self.apply.namings.items()},
                unchanged=self.summary.unchanged,
                unmanaged=tuple(item.value() for item in self.unmanaged),
                would_remove=self.would_remove,
                notices=self.notices,
                refusals=self.refusals,
                verdicts=tuple(item.value() for item in self.policy),
                requests=self.requests,
                choice=Choice(only=self.targets, exclude=self.excludes),
                left_out=self.left_out,
                allowances=self.apply.allowances.value(),
                sequences=self.apply.sequences,
                stamps=self.apply.stamps,
                made=self.made.value(),
            ),
            seen={
                item.address: seen
                for item in reversed(self.resource_changes)
                if (seen := Seen(updated=item.apply.updated, strangers=item.apply.strangers)) != Seen()
            },
            copied={
                AppKey(app): {parse_address(text): item.value() for text, item in copied.items()}
                for app, copied in self.apply.copied.items()
            },
            versions={parse_address(text): time for text, time in self.apply.versions.items()},
            made_at=self.made.at,
            seconds=self.made.seconds,
        )
