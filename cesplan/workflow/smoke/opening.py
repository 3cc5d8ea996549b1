"""Opening: an app to talk to, a client that can do nothing but read and talk, and the steps of a smoke test."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from cesplan.config.files import Files
from cesplan.config.report import Report
from cesplan.domain.address import KindName
from cesplan.domain.diagnostic import has_errors
from cesplan.domain.errors import InvalidConfiguration, UsageError
from cesplan.domain.features.release import Release, SmokeStep
from cesplan.domain.frozen import dataclass
from cesplan.engine.comparing.value_redactor import ValueRedactor
from cesplan.engine.pulling.lookup import find_child
from cesplan.features.releases.files.reading import read_smoke_file
from cesplan.model.kinds import AGENTS, DEPLOYMENTS, VERSIONS
from cesplan.remote.client import Client
from cesplan.workflow.connecting import GOOGLE, Connection, connected
from cesplan.workflow.live_app.target import AppTarget, desired_of_target, read_target, requested_app
from cesplan.workflow.smoke.running import READ_KINDS, SMOKE_METHODS, SmokeTarget


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkChoice:
    """
    What answers, by key, id, display name, or full name: empty for the draft, any version, the root agent.
    """

    deployment: str = ""
    version: str = ""
    agent: str = ""
    fakes: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Talking:
    """An app that is talked to. `releases` are those of the tree."""

    client: Client
    target: SmokeTarget
    releases: tuple[Release, ...]

    def chosen(self, choice: TalkChoice) -> SmokeTarget:
        """The target with what answers. Raises UsageError for what the app does not have."""
        return replace(
            self.target,
            deployment=self._name(choice.deployment, DEPLOYMENTS),
            version=self._name(choice.version, VERSIONS),
            entry_agent=self._name(choice.agent, AGENTS),
            fakes=choice.fakes,
        )

    def of_release(self, release: Release, choice: TalkChoice) -> SmokeTarget:
        """The target of a release's smoke test; what is chosen wins. Raises UsageError."""
        return self.chosen(
            replace(
                choice,
                deployment=choice.deployment or release.smoke_deployment,
                version=choice.version or release.candidate.partition("/")[2],
            )
        )

    def _name(self, text: str, kind: KindName) -> str:
        return find_child(text, kind, self.target.live, self.target.naming).name if text else ""


@contextmanager
def talking(target: AppTarget, connection: Connection = GOOGLE, *, seconds: float) -> Iterator[Talking]:
    """
    Find the app. Each answer of the service is waited for at most `seconds`.

    Raises UsageError, InvalidConfiguration, and what the service answers.
    """
    desired = desired_of_target(target)
    settings = connection.at(desired.settings)
    secrets = desired.secrets
    app_name = requested_app(target, desired)
    kinds = (*READ_KINDS, DEPLOYMENTS, VERSIONS)
    with connected(
        connection, settings, read_only=True, custom=SMOKE_METHODS, secrets=secrets, read_seconds=seconds
    ) as client:
        live, key, naming = read_target(app_name, desired, kinds, client)
        found = SmokeTarget(
            settings=settings,
            app_key=key,
            live=live,
            naming=naming,
            redact=ValueRedactor(secrets).masked,
        )
        releases = next((item.releases for item in desired.apps if item.key == key), ())
        yield Talking(client=client, target=found, releases=releases)


def find_release(name: str, releases: Sequence[Release]) -> Release:
    """The release of this name. Raises UsageError if the tree has none, or if it has no smoke test."""
    found = next((item for item in releases if item.name == name), None)
    if found is None:
        names = ", ".join(item.name for item in releases)
        raise UsageError(
            summary=f"`{name}` is neither a file nor a release of the app.",
            detail=f"Its releases: {names}." if names else "The app has no releases.",
        )
    if not found.smoke:
        raise UsageError(
            summary=f"The release `{name}` has no smoke test.", detail=f"Add `smoke` to {found.file}."
        )
    return found


def read_steps(path: Path) -> tuple[SmokeStep, ...]:
    """The steps in a file. Raises InvalidConfiguration with every mistake."""
    report = Report()
    steps = read_smoke_file(path.name, Files(path.parent, report))
    found = tuple(report.diagnostics)
    if has_errors(found):
        raise InvalidConfiguration(diagnostics=found)
    return steps
