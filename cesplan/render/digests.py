"""
Digests: short names for what a plan does, so that a reviewed plan and an applied one can be told equal.

A change digest covers address, action, mask, and before and after at the mask; the plan digest covers all of
them and the etags (DESIGN §7). Secrets are in neither, and neither are times.
"""

import hashlib
from collections.abc import Iterable
from typing import Any

from cesplan.domain.field_path import MaskPath
from cesplan.domain.plan import Operation
from cesplan.domain.value import Body, canonical_text
from cesplan.render.masking import shown, veil_of


def change_digest(operation: Operation) -> str:
    """The digest of what one operation does, as `sha256:` and 64 hex digits."""
    veil = veil_of(operation)
    return _digest(
        {
            "address": str(operation.address),
            "action": operation.action,
            "reason": operation.reason,
            "mask": [str(path) for path in operation.mask],
            "before": _at_mask(shown(veil.body(operation.before)), operation.mask),
            "after": _at_mask(shown(veil.body(operation.after)), operation.mask),
        }
    )


def plan_digest(operations: Iterable[Operation]) -> str:
    """The digest of a whole plan: every change, in order, with the etag it was made for."""
    return _digest([[change_digest(item), item.etag] for item in operations])


def _at_mask(body: Body | None, mask: tuple[MaskPath, ...]) -> Any:
    """What a body holds at the paths of a mask; all of it where there is no mask."""
    if not mask:
        return body
    return {str(path): _take(body, path) for path in mask}


def _take(body: Any, path: MaskPath) -> Any:
    for name in path.fields:
        body = body.get(name) if isinstance(body, dict) else None
    return body


def _digest(value: Any) -> str:
    return "sha256:" + hashlib.sha256(canonical_text(value).encode()).hexdigest()
