"""
Reading a plan file back into the very plan that was written: a text into values, without I/O.

A file is taken as it is or not at all: what is no plan, was edited, or has a newer major format is refused.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from cesplan.domain.address import Address, AppKey, parse_address
from cesplan.domain.change import FieldAction, FieldChange
from cesplan.domain.choice import Choice
from cesplan.domain.features.policy import RuleSeverity, Verdict
from cesplan.domain.field_path import Element, Entry, FieldPath, Index, MaskPath, Segment, mask_path
from cesplan.domain.naming import Naming
from cesplan.domain.options import Allowances
from cesplan.domain.plan import Action, Operation, Plan, Purpose, Reason, Step, StepId, Unmanaged
from cesplan.domain.resource_name import SEGMENT_PATTERN, Place
from cesplan.domain.reviewed import Copied, PlanFileError, Reviewed, Seen
from cesplan.domain.settings import MaskDepth, Settings
from cesplan.render.documents import FORMAT_VERSION
from cesplan.render.machine.plan_file import APPLY, DIGEST, MADE, file_digest
from cesplan.render.machine.sealing import unsealed

_AGAIN = "Make it again:\n\n    cesplan plan --out FILE"
_MAJOR = int(FORMAT_VERSION.partition(".")[0])


def read_plan_file(text: str, variables: Mapping[str, str] | None = None) -> Reviewed:
    """
    The content of a plan file.

    `variables` are the values of secret variables; secrets of which one is missing have no text. Raises
    PlanFileError.
    """
    document = _document(text)
    try:
        return _Reading(variables or {}).reviewed(document)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise PlanFileError(
            summary="This plan file cannot be read.",
            detail=f"It is intact, but its contents are not in the form that this version writes. {_AGAIN}",
        ) from error


def variables_of(text: str) -> tuple[str, ...]:
    """The secret variables that a plan file needs, sorted. Raises PlanFileError."""
    names = _document(text)[APPLY].get("variables", [])
    return tuple(map(str, names))


def _document(text: str) -> dict[str, Any]:
    """The JSON object of a plan file that nobody has edited."""
    try:
        document = json.loads(text, object_pairs_hook=_members)
    except _Twice as error:
        raise PlanFileError(
            summary=f"This plan file was edited after it was written: it has `{error}` twice.", detail=_AGAIN
        ) from error
    except (ValueError, RecursionError) as error:
        raise PlanFileError(summary="This is not a plan file: it is not JSON.", detail=_AGAIN) from error
    if not isinstance(document, dict) or "resource_changes" not in document:
        raise PlanFileError(summary="This is not a plan file.", detail=_AGAIN)
    _check_version(document)
    if DIGEST not in document or not isinstance(document.get(APPLY), dict):
        raise PlanFileError(summary="This is the JSON report of a plan, not a plan file.", detail=_AGAIN)
    if document[DIGEST] != file_digest(document):
        raise PlanFileError(
            summary="This plan file was edited after it was written.",
            detail=f"Its contents do not match its checksum, so it is not used. {_AGAIN}",
        )
    return document


class _Twice(ValueError):
    """A member that an object has twice: readers differ in which they take."""


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise _Twice(name)
        found[name] = value
    return found


def _check_version(document: Mapping[str, Any]) -> None:
    """A newer minor format only adds members; a newer major one means something else."""
    said = str(document.get("format_version", ""))
    major, dot, _ = said.partition(".")
    if not dot or not major.isdecimal():
        _refuse_version(said, "It does not say its format.")
    if int(major) != _MAJOR:
        made_by = document.get("cesplan_version", "another version")
        _refuse_version(said, f"This version reads {_MAJOR}.x; cesplan {made_by} wrote it.")


def _refuse_version(said: str, why: str) -> NoReturn:
    raise PlanFileError(summary=f"The plan file has format {said or '?'}, which is unknown.", detail=why)


class _Reading:
    """The members of a document into values."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._variables = variables

    def reviewed(self, document: Mapping[str, Any]) -> Reviewed:
        needed, made = document[APPLY], document.get(MADE) or {}
        return Reviewed(
            plan=self._plan(document, needed),
            seen={
                parse_address(item["address"]): seen
                for item in reversed(document["resource_changes"])
                if (seen := _seen(item[APPLY])) != Seen()
            },
            copied={
                AppKey(app): {parse_address(text): Copied(**copied) for text, copied in items.items()}
                for app, items in needed["copied"].items()
            },
            made_at=str(made.get("at") or ""),
            seconds=_seconds(made.get("seconds")),
        )

    def _plan(self, document: Mapping[str, Any], needed: Mapping[str, Any]) -> Plan:
        return Plan(
            settings=_settings(needed["settings"]),
            operations=tuple(self._operation(item) for item in document["resource_changes"]),
            namings={key: _naming(item) for key, item in needed["namings"].items()},
            unchanged=document["summary"]["unchanged"],
            unmanaged=tuple(
                Unmanaged(
                    address=parse_address(item["address"]), display_name=item["display_name"], why=item["why"]
                )
                for item in document["unmanaged"]
            ),
            would_remove=tuple(document["would_remove"]),
            notices=tuple(document["notices"]),
            refusals=tuple(document["refusals"]),
            verdicts=tuple(map(_verdict, document.get("policy", ()))),
            requests=document["requests"],
            choice=Choice(only=tuple(document["targets"]), exclude=tuple(document["excludes"])),
            left_out=tuple(map(parse_address, document["left_out"])),
            allowances=_allowances(needed["allowances"]),
            sequences={key: int(number) for key, number in needed["sequences"].items()},
            stamps=dict(needed["stamps"]),
        )

    def _operation(self, item: Mapping[str, Any]) -> Operation:
        change, needed = item["change"], item[APPLY]
        address = parse_address(item["address"])
        steps = zip(item["steps"], needed["bodies"], strict=True)
        changes = zip(item["field_changes"], needed["changes"], strict=True)
        return Operation(
            address=address,
            action=Action(change["actions"][0]),
            reason=Reason(item["action_reason"]),
            steps=tuple(self._step(address, step, body) for step, body in steps),
            resource_id=item["resource_id"],
            display_name=item["display_name"],
            changes=tuple(self._change(one, more) for one, more in changes),
            before=self._value(change["before"], needed["before_secrets"]),
            after=self._value(change["after"], needed["after_secrets"]),
            etag=item["etag"],
            used_by=tuple(map(parse_address, item["used_by"])),
            still_used_by=tuple(map(parse_address, item.get("still_used_by", ()))),
            file=item["file"],
            files=dict(needed["files"]),
            notes=tuple(item["notes"]),
        )

    def _step(self, address: Address, item: Mapping[str, Any], sent: Mapping[str, Any]) -> Step:
        return Step(
            id=StepId(address=address, purpose=Purpose(item["purpose"])),
            action=Action(item["write"]),
            body=self._value(sent["body"], sent["secrets"]),
            mask=tuple(map(mask_path, item["update_mask"])),
            after=tuple(map(_step_id, item["after"])),
            force=bool(item["force"]),
        )

    def _change(self, item: Mapping[str, Any], needed: Mapping[str, Any]) -> FieldChange:
        mask = item["update_mask"]
        return FieldChange(
            path=FieldPath(tuple(map(_segment, needed["segments"]))),
            mask=mask_path(mask) if mask else MaskPath(()),
            action=FieldAction(item["action"]),
            before=self._value(item["before"], needed["before_secrets"]),
            after=self._value(item["after"], needed["after_secrets"]),
            language=needed["language"],
            is_set=bool(needed["is_set"]),
        )

    def _value(self, value: Any, secrets: Sequence[Mapping[str, Any]]) -> Any:
        return unsealed(value, secrets, self._variables)


def _seconds(said: Any) -> float | None:
    """How long planning took; no digest covers it, so it may be anything."""
    is_number = isinstance(said, int | float) and not isinstance(said, bool)
    return said if is_number and said >= 0 else None


def _verdict(item: Mapping[str, Any]) -> Verdict:
    return Verdict(
        rule=item["rule"],
        severity=RuleSeverity(item["severity"]),
        address=parse_address(item["address"]),
        message=item["message"],
        approved=item["approved"],
    )


def _seen(needed: Mapping[str, Any]) -> Seen:
    return Seen(updated=needed["updated"], strangers=tuple(needed["strangers"]))


def _allowances(item: Mapping[str, Any]) -> Allowances:
    """Raises TypeError for a name that this version does not know: it may not be left out."""
    given: dict[str, Any] = {
        name: frozenset(said) if isinstance(said, list) else said for name, said in item.items()
    }
    return Allowances(**given)


def _settings(item: Mapping[str, Any]) -> Settings:
    made = Settings(
        place=Place(project=item["project"], location=item["location"]),
        environment=item["environment"],
        api_version=item["api_version"],
        endpoint=item["endpoint"],
        emulated=bool(item["emulated"]),
        prune=item["prune"],
        adopt=item["adopt"],
        stamp=item["stamp"],
        mask_depth=MaskDepth(item["mask_depth"]),
        verify_before_write=item["verify_before_write"],
        protect=tuple(item["protect"]),
        tree=item["tree"],
        lease=item["lease"],
    )
    if problem := made.problem:
        raise PlanFileError(summary=f"The plan file cannot be used: {problem}.", detail=_AGAIN)
    return made


def _naming(item: Mapping[str, Any]) -> Naming:
    for text in (item["app_id"], *item["ids"].values()):
        if text and not SEGMENT_PATTERN.fullmatch(text):  # an id that the service will choose is empty
            raise PlanFileError(summary=f"The plan file cannot be used: `{text}` is not an id.", detail=_AGAIN)
    return Naming(
        place=Place(project=item["project"], location=item["location"]),
        app_id=item["app_id"],
        ids={_pair(text): id_ for text, id_ in item["ids"].items()},
        keys={_pair(text): key for text, key in item["keys"].items()},
        aliases=dict(item["aliases"]),
        project_aliases=frozenset(item["project_aliases"]),
    )


def _pair(text: str) -> tuple[str, str]:
    kind, _, name = text.partition("/")
    return kind, name


def _step_id(text: str) -> StepId:
    """`shop/agents/billing`, or with a purpose `shop/agents/billing (link)`."""
    address, _, purpose = text.removesuffix(")").partition(" (")
    return StepId(address=parse_address(address), purpose=Purpose(purpose) if purpose else Purpose.MAIN)


def _segment(item: Any) -> Segment:
    match item:
        case str():
            return item
        case {"index": int() as position}:
            return Index(position)
        case {"entry": str() as key}:
            return Entry(key)
        case {"field": str() as field, "value": str() as value}:
            return Element(field, value)
    raise ValueError(f"not a path segment: {item!r}")
