"""
Leases (`lease: true` in cesplan.yaml): only one apply at a time runs against an app. A lease is taken before
the first write and released after the last one, also on Ctrl-C and after a failure; the lease of a killed run
expires. If the service enforces etags, only one of two runs can take it. If it does not, a second read after
taking it narrows the window in which both believe that they hold it. Runs without `lease: true` respect leases,
too.
"""

import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from threading import Event, Thread

from cesplan.domain.app_metadata.lease import LEASE, HeldLeases, Lease, read_lease
from cesplan.domain.errors import CesplanError, Conflict, NotFound
from cesplan.domain.field_path import MaskPath
from cesplan.domain.plan import Plan
from cesplan.domain.value import Body, as_object
from cesplan.model.kinds import kind_of
from cesplan.remote.client import Client

SECONDS = 300
"""The lifetime of a lease: how long others wait after a run was killed, and how far clocks may differ."""
RENEWED = SECONDS / 3
"""Seconds between renewals; most applies need none."""
LEASE_LOST = "stopped: another apply has taken over the lease"
"""Why the rest of a run is not sent."""
_TRIES = 3
_MOST_ENTRIES = 100
_MOST_LOOKS = 5
"""The number of change-log entries to search for the holder of a lease."""
_APPS = kind_of("apps")


@contextmanager
def leased(plan: Plan, client: Client, on_lost: Callable[[], object]) -> Iterator[HeldLeases]:
    """
    Hold the lease of every app that a plan writes, if the project uses leases. `on_lost` is called from another
    thread if someone takes over a lease. Raises Conflict, before anything else is written, if another run holds
    one.
    """
    held = HeldLeases()
    if not plan.settings.lease:
        for name in _apps(plan):
            _check_unheld(client, name)
        yield held
        return
    holder, over = uuid.uuid4().hex, Event()
    keeper = Thread(target=_keep, args=(client, held, over, on_lost), daemon=True)
    try:
        for name in _apps(plan):
            _take(client, name, holder, held)
        keeper.start()
        yield held
    finally:
        over.set()
        with held.lock:
            for name in [*held.leases]:
                with suppress(CesplanError):
                    _release(client, name, held)


def write_metadata(client: Client, name: str, body: Body, metadata: Body) -> None:
    """Replace the metadata of an app as just read. Raises Conflict if it was written since."""
    sent = {_APPS.stamp_field: metadata, **({"etag": body["etag"]} if body.get("etag") else {})}
    client.update(_APPS, name, sent, (MaskPath((_APPS.stamp_field,)),))


def _apps(plan: Plan) -> list[str]:
    """The full names of the apps that a plan writes to, in a stable order."""
    namings = {
        plan.namings[item.address.app].app_name: plan.namings[item.address.app] for item in plan.operations
    }
    return sorted(name for name, naming in namings.items() if naming.app_id)


def _take(client: Client, name: str, holder: str, held: HeldLeases) -> None:
    """Take the lease of an app; a new app has none, and the lease of a locked app cannot be taken."""
    for tries in range(_TRIES):
        try:
            body = client.get(_APPS, name)
        except NotFound:
            return
        if body.get(_APPS.lock_field):
            return
        _check_free(client, body, name, holder)
        # Recorded before it is sent, so that a Ctrl-C in the meantime releases it as well.
        held.leases[name] = Lease(holder=holder, until=int(time.time()) + SECONDS)
        try:
            _write(client, name, body, str(held.leases[name]))
        except Conflict:
            if tries + 1 == _TRIES:
                raise
            continue
        _check_free(client, client.get(_APPS, name), name, holder)
        return


def _check_unheld(client: Client, name: str) -> None:
    """Raises Conflict if another run holds the lease of an app; an unreadable lease is ignored."""
    try:
        body = client.get(_APPS, name)
    except CesplanError:
        return
    _check_free(client, body, name, holder="")


def _check_free(client: Client, body: Body, name: str, holder: str) -> None:
    found = read_lease(body.get(_APPS.stamp_field))
    if found is None or found.holder == holder or found.until <= time.time():
        return
    until = datetime.fromtimestamp(min(found.until, int(time.time()) + SECONDS), UTC)
    author = _author(client, name, found.holder)
    raise Conflict(
        summary=f"Another apply of {name.rpartition('/')[2]} is running. Nothing was written.",
        detail=f"It holds the lease (`lease: true`){f', taken by {author},' if author else ''} until "
        f"{until:%H:%M:%S} UTC, and renews it while it runs. Run this command again when the other "
        f"apply is done. If it is no longer running, remove `{LEASE}` from the app's metadata.",
        resource=name,
    )


def _author(client: Client, name: str, holder: str) -> str:
    """Who took a lease, according to the change log; empty if unknown."""
    with suppress(CesplanError):
        entries = client.list_changes(name, at_most=_MOST_ENTRIES)
        about = [
            item for item in entries if str(item.get("resource", "")).endswith(name.partition("/locations/")[2])
        ]
        for entry in about[:_MOST_LOOKS]:
            body = client.read(str(entry["name"])).get("newResource")
            lease = read_lease(body.get(_APPS.stamp_field)) if isinstance(body, dict) else None
            if lease is not None and lease.holder == holder:
                return str(entry.get("author", ""))
    return ""


def _keep(client: Client, held: HeldLeases, over: Event, on_lost: Callable[[], object]) -> None:
    """
    In a thread: renew the lease until the run is over. A lease that another run took over is not taken back.
    """
    while not over.wait(RENEWED):
        for name, lease in [*held.leases.items()]:
            with held.lock:
                if over.is_set():
                    return
                if not _renew(client, name, lease, held):
                    held.leases.pop(name, None)
                    on_lost()


def _renew(client: Client, name: str, lease: Lease, held: HeldLeases) -> bool:
    try:
        body = client.get(_APPS, name)
        found = read_lease(body.get(_APPS.stamp_field))
        if found is not None and found.holder != lease.holder:
            return False
        renewed = Lease(holder=lease.holder, until=int(time.time()) + SECONDS)
        _write(client, name, body, str(renewed))
        held.leases[name] = renewed
    except CesplanError:
        return time.time() < lease.until
    return True


def _release(client: Client, name: str, held: HeldLeases) -> None:
    for _ in range(_TRIES):
        body = client.get(_APPS, name)
        found = read_lease(body.get(_APPS.stamp_field))
        if found is None or found.holder != held.leases[name].holder:
            return
        with suppress(Conflict):
            _write(client, name, body, "")
            return


def _write(client: Client, name: str, body: Body, text: str) -> None:
    """Write the metadata with this lease, or without one, and everything else unchanged."""
    metadata = {key: value for key, value in as_object(body.get(_APPS.stamp_field)).items() if key != LEASE}
    write_metadata(client, name, body, metadata | ({LEASE: text} if text else {}))
