"""Connecting: whom to talk to, and as whom."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from cesplan.domain.settings import Settings
from cesplan.domain.value import Secret
from cesplan.remote.client import Client
from cesplan.remote.connecting import connect


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """
    How to reach the service.

    `emulator` is `host:port` of an emulator; `impersonate` a service account, or a chain of them;
    `quota_project` pays for requests; `log` hears of every exchange, without secrets.
    """

    emulator: str = ""
    impersonate: str = ""
    quota_project: str = ""
    log: Callable[[Any], None] | None = None


@contextmanager
def connected(
    connection: Connection, settings: Settings, *, read_only: bool, secrets: Iterable[Secret] = ()
) -> Iterator[Client]:
    """
    A client that is closed at the end; one that is `read_only` cannot write.

    No error of the service repeats one of the `secrets`. Raises NotAuthenticated.
    """
    with connect(
        settings,
        emulator=connection.emulator,
        impersonate=connection.impersonate,
        quota_project=connection.quota_project,
        read_only=read_only,
        log=connection.log,
        secrets=frozenset(item.text for item in secrets),
    ) as client:
        yield client
