"""What all commands share: the common options of one run, and its console."""

import os
import shlex
from collections.abc import Callable
from dataclasses import field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cesplan.cli.console import Console
from cesplan.cli.reports import Reports
from cesplan.domain.errors import UsageError
from cesplan.domain.frozen import dataclass
from cesplan.domain.lazily import lazily
from cesplan.domain.service.endpoint import parse_endpoints
from cesplan.domain.service.secret_source import parse_allowed
from cesplan.domain.service.waits import Waits
from cesplan.domain.text.words import count

if TYPE_CHECKING:
    from cesplan.workflow.connecting import Connection

with lazily():
    from cesplan.workflow import connecting


CONFIRMED = "CESPLAN_ENDPOINT"
"""In the environment: the endpoints outside Google that may receive credentials, separated by commas."""

ALLOWED_SECRETS = "CESPLAN_ALLOW_SECRETS"
"""In the environment: patterns of sources from which a tree may take secrets, separated by commas."""

_OFFLINE = frozenset({"validate", "render", "init", "convert", "schema", "show"})
"""Commands that make no requests: suggested commands leave out the options of a connection."""


@dataclass(kw_only=True)
class Session:
    """
    One run of the command line; click hands it to each command.

    Filled while the options are read, whether they are before the command or after it.
    """

    chdir: str = ""
    emulator: bool = False
    debug: bool = False
    no_color: bool = False
    impersonate: str = ""
    quota_project: str = ""
    endpoint: str = ""
    reports: Reports = field(default_factory=Reports)
    exchanges: list[Any] = field(default_factory=list)
    secret_values: dict[str, str] = field(default_factory=dict, repr=False)
    waits: Waits = field(default_factory=Waits)

    @cached_property
    def console(self) -> Console:
        return Console(colour=False if self.no_color else None)

    @property
    def json(self) -> bool:
        """True if stdout gets a JSON document."""
        return self.reports.stdout == "json"

    @json.setter
    def json(self, wanted: bool) -> None:
        self.reports.stdout = "json" if wanted else "text"

    @property
    def root(self) -> Path:
        """The folder in which to look for the tree: `-C` has already changed the directory."""
        return Path()

    def connection(self, emulator: str, also_confirmed: str = "") -> "Connection":
        """
        How this run reaches the service, or the emulator at host:port.

        `also_confirmed` is an endpoint that an option of one command named.
        """
        return connecting.Connection(
            emulator=emulator,
            endpoint=self.endpoint,
            impersonate=self.impersonate,
            quota_project=self.quota_project,
            log=self._log,
            confirmed=self._confirmed() | ({also_confirmed} if also_confirmed else frozenset()),
            waits=self.waits,
            allowed_secrets=self._allowed_secrets(),
            secret_values=self.secret_values,
        )

    def _confirmed(self) -> frozenset[str]:
        """The endpoints that may receive credentials according to this command line or its environment."""
        try:
            named = parse_endpoints(os.environ.get(CONFIRMED, ""))
        except ValueError as error:
            raise UsageError(
                summary=f"{CONFIRMED} in the environment is not a list of endpoints: {error}."
            ) from error
        return named | ({self.endpoint} if self.endpoint else frozenset())

    def _allowed_secrets(self) -> frozenset[str]:
        """The sources from which a tree may take secrets, according to the environment."""
        try:
            return parse_allowed(os.environ.get(ALLOWED_SECRETS, ""))
        except ValueError as error:
            raise UsageError(
                summary=f"{ALLOWED_SECRETS} in the environment is not a list of secrets: {error}."
            ) from error

    @property
    def _log(self) -> Callable[[Any], None] | None:
        return self._log_exchange if self.debug else None

    def _log_exchange(self, exchange: Any) -> None:
        self.exchanges.append(exchange)
        self.console.notify_escaped(f"{exchange}\n")

    def show_request_count(self) -> None:
        """With --debug: how many requests were made."""
        if self.debug and self.exchanges:
            self.console.notify(f"{count(len(self.exchanges), 'request')}\n")

    def command(self, name: str, *words: str) -> str:
        """A command to type next, about the same tree and the same service."""
        typed = ["cesplan", name, *(["-C", self.chdir] if self.chdir else [])]
        if name not in _OFFLINE:
            typed += self._service_words()
        return " ".join(word if word.endswith("=…") else shlex.quote(word) for word in (*typed, *words))

    def _service_words(self) -> list[str]:
        typed = ["--emulator"] if self.emulator else []
        for option, value in (
            ("--endpoint", self.endpoint),
            ("--impersonate-service-account", self.impersonate),
            ("--quota-project", self.quota_project),
        ):
            typed += [option, value] if value else []
        return typed
