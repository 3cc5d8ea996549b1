"""
A plan as a file: the JSON document of the plan, and beside each part what apply needs to carry it out.

Everything in it is covered by `file_digest` but `made`, which says when. A secret is the name of its variable;
nothing is in it that the document of the plan would not show, but the order of things and the ids.
"""

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from cesplan.domain.change import FieldChange
from cesplan.domain.errors import CesplanError
from cesplan.domain.field_path import Element, Entry, FieldPath, Index
from cesplan.domain.naming import Naming
from cesplan.domain.options import Allowances
from cesplan.domain.plan import Operation, Step
from cesplan.domain.reviewed import Copied, Reviewed, Seen
from cesplan.domain.settings import MaskDepth, Settings
from cesplan.domain.value import Secret
from cesplan.render.documents import opening, text_of
from cesplan.render.field_redactor import FieldRedactor, redactor_of, shown
from cesplan.render.machine.digests import digest_of, ids_of
from cesplan.render.machine.plan import plan_document
from cesplan.render.machine.sealing import Place, sealed, secret_places

MADE = "made"
DIGEST = "file_digest"
APPLY = "apply"


def plan_file_text(reviewed: Reviewed) -> str:
    """
    The text of a plan file, ended by a line feed.

    Raises CesplanError for a plan that sends a secret of which nobody knows the variables.
    """
    document = plan_file_document(reviewed)
    made = {"at": reviewed.made_at, "seconds": reviewed.seconds}
    return text_of({**document, MADE: made, DIGEST: file_digest(document)})


def plan_file_document(reviewed: Reviewed) -> dict[str, Any]:
    """The members of a plan file that its digest covers."""
    plan = reviewed.plan
    document = {**opening(), **plan_document(plan)}
    for operation, change in zip(plan.operations, document["resource_changes"], strict=True):
        seen = reviewed.seen.get(operation.address, Seen())
        change[APPLY] = _needed(operation, seen, plan.settings.mask_depth)
    document[APPLY] = {
        "settings": settings_document(plan.settings),
        "namings": {key: _naming(naming) for key, naming in sorted(plan.namings.items())},
        "allowances": _allowances(plan.allowances),
        "copied": {
            app: {str(address): _copied(item) for address, item in sorted(copied.items())}
            for app, copied in sorted(reviewed.copied.items())
        },
        "sequences": dict(sorted(plan.sequences.items())),
        "stamps": dict(sorted(plan.stamps.items())),
        "variables": sorted({name for item in plan.operations for name in _variables(item)}),
    }
    return document


def file_digest(document: dict[str, Any]) -> str:
    """The digest of everything in a plan file but when it was made, and the digest itself."""
    return digest_of({name: value for name, value in document.items() if name not in (MADE, DIGEST)})


def settings_document(settings: Settings) -> dict[str, Any]:
    """All settings of an environment."""
    return {
        "project": settings.place.project,
        "location": settings.place.location,
        "environment": settings.environment,
        "api_version": settings.api_version,
        "endpoint": settings.endpoint,
        "emulated": settings.emulated,
        "prune": settings.prune,
        "adopt": settings.adopt,
        "stamp": settings.stamp,
        "mask_depth": settings.mask_depth,
        "verify_before_write": settings.verify_before_write,
        "protect": list(settings.protect),
        "tree": settings.tree,
        "lease": settings.lease,
    }


def _allowances(allowances: Allowances) -> dict[str, Any]:
    """What weakens the guard, under the names of the fields; it is asked again before the plan is applied."""
    said = {item.name: getattr(allowances, item.name) for item in fields(allowances)}
    return {name: sorted(value) if isinstance(value, frozenset) else value for name, value in said.items()}


def _copied(item: Copied) -> dict[str, str]:
    return {"digest": item.digest, "etag": item.etag, "updated": item.updated}


def _naming(naming: Naming) -> dict[str, Any]:
    return {
        "project": naming.place.project,
        "location": naming.place.location,
        "app_id": naming.app_id,
        "ids": ids_of(naming),
        "keys": {f"{kind}/{id_}": naming.keys[kind, id_] for kind, id_ in sorted(naming.keys)},
        "aliases": dict(sorted(naming.aliases.items())),
        "project_aliases": sorted(naming.project_aliases),
    }


def _needed(operation: Operation, seen: Seen, depth: MaskDepth) -> dict[str, Any]:
    """What of an operation its place in the plan's document does not say."""
    redactor = redactor_of(operation)
    return {
        "files": dict(operation.files),
        "before_secrets": sealed(redactor.body(operation.before)),
        "after_secrets": sealed(redactor.body(operation.after)),
        "bodies": [_body(operation, step, redactor, depth) for step in operation.steps],
        "changes": [_change(item, redactor) for item in operation.changes],
        "updated": seen.updated,
        "strangers": list(seen.strangers),
    }


def _body(operation: Operation, step: Step, redactor: FieldRedactor, depth: MaskDepth) -> dict[str, Any]:
    """
    What a step sends.

    Hidden values that live has already stay there, and are taken from live again. Others that are hidden for
    what stands beside them come from the tree, where they stand in clear.
    """
    body = _without_lives_own(step.body, redactor.body(step.body), operation.before)
    for place, secret in secret_places(body):
        if secret.variables and not secret.recipe:
            raise _unknown_secret(operation, place)
    if depth is MaskDepth.TOP:
        _check_lists(operation, step, redactor)
    return {"body": shown(body), "secrets": sealed(body)}


def _without_lives_own(sent: Any, redacted: Any, live: Any) -> Any:
    """What is sent, with a nameless secret for each hidden value that live has in the same place."""
    match sent:
        case Secret():
            return sent
        case dict():
            there = live if isinstance(live, dict) else {}
            return {key: _without_lives_own(item, redacted[key], there.get(key)) for key, item in sent.items()}
        case list() | tuple():
            # Places in lists move; `_check_lists` sees to what live has in them.
            return [_without_lives_own(item, redacted[at], None) for at, item in enumerate(sent)]
    return redacted if isinstance(redacted, Secret) and sent == live else sent


def _check_lists(operation: Operation, step: Step, redactor: FieldRedactor) -> None:
    """With masks at the top, whole lists are sent as live has them; hidden values in them cannot be kept."""
    hidden = {
        place: secret for place, secret in secret_places(redactor.body(step.body)) if not secret.variables
    }
    known = set(_hidden_texts(operation.before, redactor.body(operation.before)))
    for place in hidden:
        if any(isinstance(item, int) for item in place) and _at(step.body, place) in known:
            raise _unknown_secret(operation, place)


def _hidden_texts(value: Any, redacted: Any) -> Iterator[Any]:
    """What a redactor hides that is no secret of ours."""
    match value:
        case Secret():
            return
        case dict():
            for key, item in value.items():
                yield from _hidden_texts(item, redacted[key])
        case list() | tuple():
            for item, cover in zip(value, redacted, strict=True):
                yield from _hidden_texts(item, cover)
        case _ if isinstance(redacted, Secret):
            yield value


def _at(value: Any, place: Place) -> Any:
    for item in place:
        value = value[item]
    return value


def _unknown_secret(operation: Operation, place: Place) -> CesplanError:
    return CesplanError(
        summary=f"The plan cannot be saved to a file: {operation.address} "
        "sends a secret that comes from no variable.",
        detail=f"It is in `{'.'.join(map(str, place))}`. "
        "Move it to a secret variable, or apply the tree directly.",
    )


def _change(change: FieldChange, redactor: FieldRedactor) -> dict[str, Any]:
    before, after = redactor.sides(change)
    return {
        "segments": [*_segments(change.path)],
        "language": change.language,
        "is_set": change.is_set,
        "before_secrets": sealed(before),
        "after_secrets": sealed(after),
    }


def _segments(path: FieldPath) -> Iterator[Any]:
    for segment in path.segments:
        match segment:
            case str():
                yield segment
            case Index():
                yield {"index": segment.position}
            case Entry():
                yield {"entry": segment.key}
            case Element():
                yield {"field": segment.field, "value": segment.value}


def _variables(operation: Operation) -> frozenset[str]:
    bodies = (operation.before, operation.after, *(step.body for step in operation.steps))
    values = [*bodies, *(value for one in operation.changes for value in (one.before, one.after))]
    return frozenset(
        name for value in values for _, secret in secret_places(value) for name in secret.variables
    )
