"""Former apps in a drift report: a pending deletion without live edits, a conflict with them."""

from cesplan.domain.change import EditKind, Origin
from cesplan.domain.features.drift import UNKNOWN_ORIGIN, AppDrift, DriftItem, DriftKind, class_of
from cesplan.engine.comparing.match import display_name
from cesplan.engine.comparing.value_redactor import ValueRedactor
from cesplan.features.former_apps.former_app import FormerApp, origin_of, words_of
from cesplan.features.history.edit_log import EditLog
from cesplan.features.history.log_entries import live_edit_of
from cesplan.model.kinds import kind_of
from cesplan.remote.client import Client


def former_drift(former: FormerApp, client: Client, redactor: ValueRedactor) -> AppDrift:
    """
    The drift of a former app. Its resources are not read: the tree has nothing to compare them with.

    It counts as one unmanaged resource.
    """
    log = EditLog(client, former.app.name, former.stamp)
    origin = origin_of(log)
    edits = log.foreign_entries() if origin is Origin.BOTH else ()
    notes = [f"its folder is gone; `cesplan apply --allow-delete {former.address}` deletes the app"]
    item = DriftItem(
        address=former.address,
        drift_class=class_of(origin, reverts=origin is not Origin.TREE),
        kind=DriftKind.DELETED if origin is Origin.TREE else DriftKind.CHANGED,
        origin=origin,
        display_name=redactor.name(display_name(kind_of(former.app.kind), former.app.body)),
        resource=former.app.name,
        edit=live_edit_of(edits[0], EditKind.UPDATED) if edits else None,
        note="; ".join([*([UNKNOWN_ORIGIN] if origin is Origin.UNKNOWN else []), *notes]),
    )
    applied = log.stamp_time()
    trouble = f"live edits of it cannot be read: {log.trouble}" if log.trouble else ""
    key = former.address.app
    return AppDrift(
        app=key,
        name=former.app.name,
        items=(item,),
        unmanaged=(former.address,),
        commit=former.stamp.commit,
        applied_at=applied.isoformat().replace("+00:00", "Z") if applied else "",
        notices=tuple(f"{key}: {text}" for text in (trouble, *words_of(edits)) if text),
        former=True,
    )
