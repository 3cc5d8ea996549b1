"""
The fingerprint of a report: equal if two runs found the same drift, regardless of its author and of the time.
It covers the path of each difference and a digest of the live value. It does not cover order, times, authors,
requests, values in the tree, or secrets: a live value that is a secret counts only as hidden.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from cesplan.domain.address import Address
from cesplan.domain.change import FieldAction, FieldChange
from cesplan.domain.features.drift import AppDrift, DriftItem, DriftReport
from cesplan.domain.field_path import Element, FieldPath
from cesplan.domain.value import canonical_text, secrets_in
from cesplan.model.kinds import kind_of
from cesplan.render.field_redactor import redactor_over, shown
from cesplan.render.values import SENSITIVE

NO_DRIFT = ""
"""The fingerprint of a report without drift."""


def fingerprint(report: DriftReport) -> str:
    """The fingerprint of all apps, as `sha256:` and 64 hex digits; empty where nothing drifted."""
    return fingerprint_of(app_fingerprints(report))


def app_fingerprints(report: DriftReport) -> Mapping[str, str]:
    """The fingerprint of each app that drifted, by name. Apps of several trees may have one name together."""
    found: dict[str, list[DriftItem]] = {}
    for app in report.apps:
        if app.alarming:
            found.setdefault(app_name(app), []).extend(app.alarming)
    return {name: _of_items(items) for name, items in found.items()}


def fingerprint_of(apps: Mapping[str, str]) -> str:
    """One fingerprint for those of several apps."""
    return _digest(sorted(apps.items())) if apps else NO_DRIFT


def app_name(app: AppDrift) -> str:
    """`acme-prod/us/prod/support-desk`, with the service before it where that is not the default one."""
    return "/".join(filter(None, (app.where, app.project, app.location, app.environment, app.app)))


def _of_items(items: Iterable[DriftItem]) -> str:
    return _digest(sorted(canonical_text(_facts(item)) for item in items))


def _facts(item: DriftItem) -> list[Any]:
    change = item.change
    if change is None:
        return [str(item.address), item.kind]
    return [str(item.address), item.kind, str(_place(change)), *_live(item.address, change)]


def _place(change: FieldChange) -> FieldPath:
    """The live path. Elements with a key are identified by it, because their order does not matter."""
    pairs = zip(change.path.segments, change.place_live.segments, strict=False)
    return FieldPath(tuple(ours if isinstance(ours, Element) else live for ours, live in pairs))


def _live(address: Address, change: FieldChange) -> Iterator[Any]:
    """What live has at the place of a difference."""
    if change.action is FieldAction.MOVED:
        yield from ("moved", change.before)
        return
    yield "absent" if change.action is FieldAction.ADDED else "present"
    if any(secrets_in(change.after)):
        yield SENSITIVE
    else:
        redactor = redactor_over(kind_of(address.kind).spec, ())
        live = shown(redactor.value(change.path, change.before))
        yield sorted(map(canonical_text, live)) if change.is_set and isinstance(live, list) else live


def _digest(value: Any) -> str:
    # Names of files that are not UTF-8 hold lone surrogates.
    data = canonical_text(value).encode("utf-8", "surrogatepass")
    return f"sha256:{hashlib.sha256(data).hexdigest()}"
