"""Small reports of drift, as values."""

from typing import Any

from cesplan.domain.address import parse_address
from cesplan.domain.change import EditKind, FieldAction, FieldChange, LiveEdit, Origin
from cesplan.domain.features.drift import AppDrift, DriftClass, DriftItem, DriftKind, DriftReport
from cesplan.domain.field_path import FieldPath

BOB = LiveEdit(kind=EditKind.UPDATED, author="bob@acme.example", time="2026-11-20T17:40:00Z")


def field_drift(
    live: Any = "Be rude.",
    *,
    address: str = "desk/agents/billing",
    path: str = "instruction",
    tree: Any = "Be kind.",
    edit: LiveEdit = BOB,
    drift_class: DriftClass = DriftClass.DRIFT,
    **facts: Any,
) -> DriftItem:
    """Somebody edited one field live."""
    place = FieldPath.parse(path)
    change = FieldChange(
        path=place,
        mask=place.mask,
        action=facts.pop("action", FieldAction.MODIFIED),
        before=live,
        after=tree,
        is_set=facts.pop("is_set", False),
        live_path=facts.pop("live_path", None),
    )
    return DriftItem(
        address=parse_address(address),
        drift_class=drift_class,
        origin=Origin.LIVE,
        change=change,
        edit=edit,
        **facts,
    )


def created(address: str = "desk/tools/new-tool", **facts: Any) -> DriftItem:
    """Somebody created a resource live."""
    return DriftItem(
        address=parse_address(address), drift_class=DriftClass.DRIFT, kind=DriftKind.CREATED, edit=BOB, **facts
    )


def app(*items: DriftItem, key: str = "desk", **facts: Any) -> AppDrift:
    """An app of the environment prod."""
    return AppDrift(
        app=key,
        items=items,
        **{"environment": "prod", "project": "acme-prod", "location": "us", "tree": ".", "managed": 4, **facts},
    )


def report(*apps: AppDrift, **facts: Any) -> DriftReport:
    return DriftReport(apps=apps, **{"checked_at": "2026-11-21T06:00:00Z", "seconds": 1.5, **facts})
