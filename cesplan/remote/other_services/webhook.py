"""
A webhook: a URL that receives messages. Anyone who knows it can post, so it is a secret.

Only https is allowed, or http on this machine, and no user name. Redirects are not followed.
"""

import re
from dataclasses import field

from cesplan.domain.frozen import dataclass
from cesplan.domain.service.endpoint import Endpoint, parse_endpoint
from cesplan.remote.clock import Backoff, Clock
from cesplan.remote.other_services.attempts import with_retries
from cesplan.remote.other_services.request import connections, request
from cesplan.remote.statuses import TRANSIENT
from cesplan.remote.transport import Answer

BACKOFF = Backoff(first=1.0, longest=8.0, tries=4, total=40.0)
"""All attempts for one message end within a minute, including the last response."""

_URL = re.compile(r"(?P<scheme>https?)://(?P<host>[^/?#@\s]+)(?P<target>[/?][\x21\x23-\x7e]*)?")
_LONGEST_URL = 4096
_TRANSIENT = TRANSIENT | {425}


@dataclass(frozen=True, slots=True, kw_only=True)
class Webhook:
    """Where to post. Its text form is only the host."""

    endpoint: Endpoint
    target: str = field(repr=False)
    """The path and query, as given."""

    def __str__(self) -> str:
        return self.endpoint.host if self.endpoint.scheme == "https" else str(self.endpoint)


def parse_webhook(text: str) -> Webhook:
    """Parse the URL of a webhook. Raises ValueError, which never quotes the text."""
    found = _URL.fullmatch(text) if len(text) <= _LONGEST_URL else None
    if found is None or "#" in (found["target"] or ""):
        raise ValueError("write an https URL, without a user name or a fragment")
    target = found["target"] or "/"
    try:
        endpoint = parse_endpoint(f"{found['scheme']}://{found['host']}")
    except ValueError:
        raise ValueError("the host is not valid, or the URL is not https") from None
    return Webhook(endpoint=endpoint, target=target if target.startswith("/") else f"/{target}")


def post(webhook: Webhook, body: str, *, id: str, clock: Clock, backoff: Backoff = BACKOFF) -> str:  # noqa: A002
    """
    Post a JSON text, with retries. Returns why it was not delivered; empty if it was.

    `id` is sent as `Idempotency-Key`. A retry after a lost response may deliver a message twice.
    """
    data = body.encode("utf-8", "replace")
    headers = {"Idempotency-Key": f'"{id}"'}
    manager = connections(webhook.endpoint)

    def send(_: int) -> Answer:
        return request(manager, webhook.endpoint, "POST", webhook.target, body=data, headers=headers)

    try:
        found = with_retries(send, clock, backoff, _TRANSIENT)
    finally:
        manager.clear()
    if 200 <= found.status < 300:
        return ""
    why = f"{found.why}: redirects are not followed" if 300 <= found.status < 400 else found.why
    if found.interrupted:
        return f"{why}; interrupted before the next attempt"
    return f"{why}; tried {found.count} times" if found.count > 1 else why
