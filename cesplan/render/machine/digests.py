"""
Digests: short names for the effects of a plan, so that a reviewed plan and an applied one can be compared.

A change digest covers address, action, mask, and before and after at the mask; the plan digest covers all of
them and the etags. Neither covers secrets, times, or the commit that the stamp will name: a pull request and
its merge are different commits that ask for the same changes.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from cesplan.domain.app_metadata.stamp import OUTSIDE_DIGESTS
from cesplan.domain.field_path import MaskPath
from cesplan.domain.naming import Naming
from cesplan.domain.plan import Operation, Plan, Reason
from cesplan.domain.value import Body, Secret, canonical_members, canonical_text, folded
from cesplan.render.field_redactor import FieldRedactor, redactor_of, shown

_ALGORITHM = "sha256"


def change_digest(operation: Operation, redactor: FieldRedactor | None = None) -> str:
    """The digest of the effect of one operation, as `sha256:` and 64 hex digits. `redactor` belongs to it."""
    redactor = redactor or redactor_of(operation)
    operation = _of_any_commit(operation)
    return _digest(
        {
            "address": str(operation.address),
            "action": operation.action,
            "reason": operation.reason,
            "mask": [str(path) for path in operation.mask],
            "before": _at_mask(shown(redactor.body(operation.before)), operation.mask),
            "after": _at_mask(shown(redactor.body(operation.after)), operation.mask),
        }
    )


def plan_digest(plan: Plan, changes: Sequence[str] | None = None) -> str:
    """
    The digest of everything that a plan would do: the place, and every change, in order, with its etag and its
    writes. Information without effect is not covered: notices and unmanaged resources. `changes` are the
    digests of its operations, if known.
    """
    settings = plan.settings
    digests = changes or [change_digest(item) for item in plan.operations]
    return _digest(
        {
            "project": settings.place.project,
            "location": settings.place.location,
            "environment": settings.environment,
            "endpoint": settings.endpoint,
            "api_version": settings.api_version,
            "verify_before_write": settings.verify_before_write,
            "apps": {key: [naming.app_id, ids_of(naming)] for key, naming in plan.namings.items()},
            "changes": [
                [digest, item.etag, _writes(item)]
                for digest, item in zip(digests, plan.operations, strict=True)
            ],
        }
    )


def work_digest(operation: Operation) -> str:
    """
    The digest of everything that one operation does, independent of the rest of its plan. Equal in two plans
    that do the same to this resource. The etag is left out: the change contains what was live.
    """
    writes = [{key: item for key, item in write.items() if key != "after"} for write in _writes(operation)]
    return _digest({"change": change_digest(operation), "writes": writes})


def ids_of(naming: Naming) -> dict[str, str]:
    """The ids that differ from their keys, by `<kind>/<key>`."""
    return {f"{kind}/{key}": naming.ids[kind, key] for kind, key in sorted(naming.ids)}


def digest_of(value: Any) -> str:
    """The digest of a JSON value, regardless of its layout and the order of its members."""
    return _digest(value)


def document_digest(document: Mapping[str, Any]) -> str:
    """The digest of a document of megabytes."""
    found = hashlib.sha256()
    for piece in canonical_members(document):
        found.update(piece.encode())
    return f"{_ALGORITHM}:{found.hexdigest()}"


def _of_any_commit(operation: Operation) -> Operation:
    """The write of a stamp without the commit and sequence that it will name; any other operation as it is."""
    if operation.reason is not Reason.STAMP:
        return operation
    steps = tuple(replace(step, body=_without_commit(step.body)) for step in operation.steps)
    return replace(operation, steps=steps, after=_without_commit(operation.after or {}))


def _without_commit(body: Body) -> Body:
    return {
        name: {key: item for key, item in value.items() if key not in OUTSIDE_DIGESTS}
        if isinstance(value, dict)
        else value
        for name, value in body.items()
    }


def _writes(operation: Operation) -> list[Any]:
    operation = _of_any_commit(operation)
    redactor = redactor_of(operation)
    return [
        {
            "resource_id": operation.resource_id,
            "step": str(step.id),
            "write": step.action,
            "mask": [str(path) for path in step.mask],
            "body": _spelled(redactor.body(step.body)),
            "after": [str(item) for item in step.after],
            "force": step.force,
            **({"still_used_by": [str(item) for item in operation.still_used_by]} if step.force else {}),
        }
        for step in operation.steps
    ]


def _spelled(value: Any) -> Any:
    """A redacted value with every secret as its template; the same variables can make different texts."""
    return folded(value, lambda leaf: {"$secret": leaf.recipe} if isinstance(leaf, Secret) else leaf)


def _at_mask(body: Body | None, mask: tuple[MaskPath, ...]) -> Any:
    """The values of a body at the paths of a mask; the whole body without a mask."""
    if not mask:
        return body
    return {str(path): _take(body, path) for path in mask}


def _take(body: Any, path: MaskPath) -> Any:
    for name in path.fields:
        body = body.get(name) if isinstance(body, dict) else None
    return body


def _digest(value: Any) -> str:
    return f"{_ALGORITHM}:{hashlib.sha256(canonical_text(value).encode()).hexdigest()}"
