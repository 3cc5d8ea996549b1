"""Recording what an apply wrote that was not complete, so that the next one knows its own work again."""

from collections import defaultdict
from contextlib import suppress

from cesplan.domain.errors import CesplanError, Conflict
from cesplan.domain.field_path import MaskPath
from cesplan.domain.lease import Held
from cesplan.domain.plan import Plan
from cesplan.engine.applying.partial import body_digest, with_partial
from cesplan.engine.applying.run import Applying
from cesplan.engine.comparing.redactor import Scrubber
from cesplan.engine.reviewing.recheck import secrets_of
from cesplan.model.kinds import kind_of
from cesplan.remote.client import Client

_TRIES = 3
_APPS = kind_of("apps")


def record_partial(plan: Plan, run: Applying, client: Client, held: Held) -> None:
    """
    Leave the digests of what a run wrote with each app that it gave no stamp to.

    At best effort: without the record the next plan takes these writes for another's, which is safe. After
    a Ctrl-C nothing new is begun, this neither. Reports do not count it: it is bookkeeping, as a lease is.
    """
    if not plan.settings.stamp or run.interrupted:
        return
    scrubber = Scrubber(secrets_of(plan))
    digests: dict[str, list[str]] = defaultdict(list)
    for target, answer in run.unstamped:
        naming = target.naming
        digests[naming.app_name].append(body_digest(target.kind, answer, naming.place, naming.app_id, scrubber))
    for name in sorted(digests):
        with suppress(CesplanError), held.lock:
            _record(client, name, digests[name])


def _record(client: Client, name: str, digests: list[str]) -> None:
    field = _APPS.stamp_field
    for _ in range(_TRIES):
        body = client.get(_APPS, name)
        if body.get(_APPS.lock_field):
            return
        sent = {field: with_partial(dict(body.get(field) or {}), name, digests)}
        if body.get("etag"):
            sent["etag"] = body["etag"]
        with suppress(Conflict):
            client.update(_APPS, name, sent, (MaskPath((field,)),))
            return
