"""The evaluation runs of one app: start one, wait for it, find earlier ones, and judge them."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext
from dataclasses import replace
from time import monotonic, sleep

from cesplan.domain.desired import Desired
from cesplan.domain.errors import NotFound, UsageError
from cesplan.domain.features.evaluation import (
    Channel,
    Demand,
    Demanded,
    EvaluationChoice,
    Method,
    PersonaTasks,
    RunReport,
    RunSettings,
    ToolBehavior,
)
from cesplan.domain.frozen import dataclass
from cesplan.domain.live import LiveResource
from cesplan.domain.resource_name import SEGMENT_PATTERN, last_id, parse_name
from cesplan.domain.settings import Settings
from cesplan.domain.text.times import sortable
from cesplan.domain.value import Body
from cesplan.engine.comparing.value_redactor import ValueRedactor
from cesplan.engine.pulling.lookup import find_child
from cesplan.features.evaluation.choice import ChosenEvaluations, choose, demanded
from cesplan.features.evaluation.found_results import FoundResults, read_results
from cesplan.features.evaluation.observed import latencies_of, sessions_of
from cesplan.features.evaluation.personas import check_played, personas_named
from cesplan.features.evaluation.request import settings_of_run
from cesplan.features.evaluation.starting import StartedRun, start
from cesplan.features.evaluation.verdict import Evidence, assess_run
from cesplan.features.evaluation.waiting import Waited, await_run
from cesplan.features.history.consistent_reads import again
from cesplan.model.kinds import AGENTS, DATASETS, EVALUATIONS, TOOLS, TOOLSETS, VERSIONS, kind_of
from cesplan.remote.calls import RUN_EVALUATION
from cesplan.remote.client import Client
from cesplan.remote.connecting import Shared
from cesplan.workflow.connecting import GOOGLE, Connection, connected
from cesplan.workflow.live_app.target import AppTarget, desired_of_target, read_target, requested_app

_API = "v1beta"
_KINDS = (EVALUATIONS, DATASETS, AGENTS, TOOLS, TOOLSETS)
"""The kinds to choose from, and those that results refer to."""

OnProgress = Callable[[Body, float], None]
_MOST_RUNS = 1000
_RUNS = "evaluationRuns"


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestedSettings:
    """Requested settings of a run; None means the default, or the setting of an existing run."""

    version: str | None = None
    channel: Channel | None = None
    method: Method | None = None
    tools: ToolBehavior | None = None
    repeats: int | None = None
    personas: tuple[tuple[str, int], ...] | None = None
    """Each persona as named, with its number of tasks."""


class Evaluating:
    """An app to evaluate: its live resources, and access to its runs."""

    def __init__(
        self, client: Client, starter: Client, settings: Settings, app_name: str, desired: Desired
    ) -> None:
        self._starter = starter
        self.client = client
        self.settings = settings
        self.live, self.key, self.naming = read_target(app_name, desired, _KINDS, client)
        self.redact: Callable[[Body], Body] = ValueRedactor(desired.secrets).masked
        """A body without the secrets of the tree, for reports."""

    def demand(self, choice: EvaluationChoice, requested: RequestedSettings) -> Demand:
        """The demand of a new run. Raises UsageError for names that the app does not have."""
        made = self._demand(choose(choice, self.live, self.naming), RunSettings(), requested)
        check_played(made.settings.personas, made.evaluations)
        return made

    def demand_of(self, run: Body, choice: EvaluationChoice, requested: RequestedSettings) -> Demand:
        """The demand of an existing run: its own settings, except for requested ones."""
        chosen = ChosenEvaluations(
            evaluations=self._evaluations_of(run)
            if choice.is_empty
            else choose(choice, self.live, self.naming).evaluations
        )
        return self._demand(chosen, settings_of_run(run), requested)

    def _demand(self, chosen: ChosenEvaluations, settings: RunSettings, requested: RequestedSettings) -> Demand:
        version_name = requested.version or settings.version
        version = self.version(version_name) if version_name else None
        personas = personas_named(requested.personas or (), self.live.app.body, self.naming)
        return Demand(
            app=self.live.app.name,
            app_key=self.key,
            evaluations=chosen.evaluations,
            dataset=chosen.dataset,
            settings=_settled(settings, requested, version, personas),
            version_name=version.title if version else "",
        )

    def start(self, demand: Demand, display_name: str) -> StartedRun:
        """Start a run, once. Raises LostResponse if it cannot be known whether it was started."""
        return start(demand, display_name, self._starter, self.client, rest=sleep)

    def find(self, run_name: str) -> Body:
        """A run by id, full name, or display name. Raises UsageError."""
        return find_run(run_name, self.live.app.name, self.client)

    def version(self, name: str) -> LiveResource:
        """A version by key, id, or display name. Raises UsageError."""
        if VERSIONS not in self.live.children:
            found = self.client.list_children(self.live.app.name, [kind_of(VERSIONS)])
            self.live = replace(self.live, children={**self.live.children, **found})
        return find_child(name, VERSIONS, self.live, self.naming)

    def finished(
        self, demand: Demand, started: StartedRun, timeout: float, on_progress: OnProgress
    ) -> RunReport:
        """Wait for the end of a run and assess it; after `timeout` seconds, assess its current state."""
        waited = self.waited(started, timeout, on_progress)
        return self.judged(demand, waited.run, gave_up=waited.gave_up, compare=True)

    def judged(self, demand: Demand, run: Body, *, gave_up: str = "", compare: bool = False) -> RunReport:
        """A run checked against a demand; with `compare`, also for edits of the evaluations in the meantime."""
        return self.judged_by(demand, run, self.results(demand, run), gave_up=gave_up, compare=compare)

    def results(self, demand: Demand, run: Body) -> FoundResults:
        """The results of a run, without the secrets of the tree."""
        return read_results(run, demand.app, demand.results, self.client, redact=self.redact)

    def waited(self, started: StartedRun, timeout: float, on_progress: OnProgress) -> Waited:
        """Wait for the end of a run; after `timeout` seconds, return its current state."""
        return await_run(
            started, self.client.read, timeout=timeout, monotonic=monotonic, rest=sleep, on_progress=on_progress
        )

    def judged_by(
        self, demand: Demand, run: Body, results: FoundResults, *, gave_up: str = "", compare: bool = False
    ) -> RunReport:
        """The same with results that were already read."""
        edited = self._edited(demand) if compare else frozenset()
        shown = self.redact(run)
        evidence = Evidence(run=shown, results=results, gave_up=gave_up, edited=edited)
        evaluations, problems = assess_run(demand, evidence, self.naming)
        return RunReport(
            service=self.settings,
            demand=demand,
            run=f"{demand.app}/evaluationRuns/{last_id(str(run.get('name', '')))}",
            display_name=str(shown.get("displayName", "")),
            state=str(shown.get("state", "")),
            create_time=str(shown.get("createTime", "")),
            initiated_by=str(shown.get("initiatedBy", "")),
            evaluations=evaluations,
            problems=problems,
            latencies=latencies_of(shown, evaluations, self.naming),
            sessions=sessions_of(run),
            notices=_edited_since(demand, run),
        )

    def _evaluations_of(self, run: Body) -> tuple[Demanded, ...]:
        """The evaluations that a run names; a deleted one cannot pass."""
        by_reference = {
            self.naming.to_reference(item.name): item for item in self.live.children.get(EVALUATIONS, ())
        }
        dataset = str(run.get("evaluationDataset") or "")
        names = self._members(dataset) if dataset else run.get("evaluations") or ()
        references = sorted({self.naming.to_reference(str(name)) for name in names})
        return tuple(
            demanded(by_reference[item], self.live.app.body, self.naming)
            if item in by_reference
            else Demanded(name=self.naming.to_name(item), reference=item, display_name="", turns=0)
            for item in references
        )

    def _members(self, dataset: str) -> list[str]:
        found = find_child(last_id(dataset), DATASETS, self.live, self.naming)
        return list(found.body.get("evaluations") or ())

    def _edited(self, demand: Demand) -> frozenset[str]:
        """The evaluations whose demands changed since the run was started."""
        app = again(self.live.app, self.client)
        listed = self.client.list_children(app.name, [kind_of(EVALUATIONS)])[EVALUATIONS]
        now = {item.name: demanded(item, app.body, self.naming) for item in listed}
        return frozenset(
            item.reference
            for item in demand.evaluations
            if item.name not in now
            or now[item.name].digest != item.digest
            or now[item.name].thresholds != item.thresholds
        )


@contextmanager
def evaluating(
    target: AppTarget, connection: Connection = GOOGLE, *, starts: bool = True
) -> Iterator[Evaluating]:
    """
    Find the app. The connection can read and, with `starts`, start a run; nothing else.

    Raises UsageError, InvalidConfiguration, and what the service answers.
    """
    desired = desired_of_target(target)
    settings = connection.at(desired.settings)
    if settings.api_version != _API:
        raise UsageError(
            summary=f"The API version {settings.api_version} has no evaluations.",
            detail=f"Set `apiVersion: {_API}` in cesplan.yaml.",
        )
    secrets = desired.secrets
    app_name = requested_app(target, desired)
    with (
        nullcontext(connection.shared) if connection.shared else closing(Shared()) as shared,
        connected(connection, settings, read_only=True, secrets=secrets, shared=shared) as client,
        connected(
            connection,
            settings,
            read_only=True,
            custom=frozenset({RUN_EVALUATION}) if starts else frozenset(),
            secrets=secrets,
            shared=shared,
        ) as starter,
    ):
        yield Evaluating(client, starter, settings, app_name, desired)


def find_run(name: str, app: str, client: Client) -> Body:
    """A run of an app by id, full name, or display name. Raises UsageError for none and for several."""
    parts = parse_name(name)
    if parts is not None and parts.kind == _RUNS and parts.app != last_id(app):
        raise UsageError(summary=f"`{name}` is not a run of this app.", detail=f"The app is {app}.")
    run_id = parts.id if parts is not None and parts.kind == _RUNS else name
    if run_id and SEGMENT_PATTERN.fullmatch(run_id):
        try:
            return client.read(f"{app}/{_RUNS}/{run_id}")
        except NotFound:
            pass
    found = [item for item in client.list_runs(app, at_most=_MOST_RUNS) if item.get("displayName") == name]
    if len(found) == 1:
        return client.read(f"{app}/{_RUNS}/{last_id(str(found[0]['name']))}")
    raise UsageError(summary=f"The app has {'more than one' if found else 'no'} evaluation run `{name}`.")


def newest_run_of(version: str, app: str, client: Client) -> Body:
    """The newest completed run of a version, by its id. Raises UsageError if there is none."""
    for item in client.list_runs(app, at_most=_MOST_RUNS):
        if item.get("state") == "COMPLETED" and last_id(str(item.get("appVersion") or "")) == version:
            return client.read(f"{app}/{_RUNS}/{last_id(str(item['name']))}")
    raise UsageError(summary=f"The version `{version}` has no completed evaluation run.")


@dataclass(frozen=True, slots=True, kw_only=True)
class AppRuns:
    """The newest evaluation runs of an app, newest first, without the secrets of the tree."""

    app: str
    """The key of the app."""
    settings: Settings
    runs: tuple[Body, ...]


def list_runs(target: AppTarget, *, at_most: int, connection: Connection = GOOGLE) -> AppRuns:
    """
    The evaluation runs of an app.

    Raises UsageError, InvalidConfiguration, and what the service answers.
    """
    with evaluating(target, connection, starts=False) as app:
        found = app.client.list_runs(app.live.app.name, at_most=at_most)
        return AppRuns(app=app.key, settings=app.settings, runs=tuple(map(app.redact, found)))


def read_run(target: AppTarget, run_name: str = "", *, connection: Connection = GOOGLE) -> RunReport:
    """
    The results of a run, by its id, full name, or display name; without one, of the newest run. They are
    checked against the run's own settings, and against the current demands of its evaluations. Raises
    UsageError, InvalidConfiguration, and what the service answers.
    """
    with evaluating(target, connection, starts=False) as app:
        if not run_name:
            newest = app.client.list_runs(app.live.app.name, at_most=1)
            if not newest:
                raise UsageError(
                    summary=f"{app.key} has no evaluation run.", detail="Start one:\n\n    cesplan evaluate"
                )
            run_name = last_id(str(newest[0].get("name", "")))
        run = app.find(run_name)
        return app.judged(app.demand_of(run, EvaluationChoice(), RequestedSettings()), run)


def _settled(
    settings: RunSettings,
    requested: RequestedSettings,
    version: LiveResource | None,
    personas: tuple[PersonaTasks, ...],
) -> RunSettings:
    """The settings, overridden by the requested ones."""
    return RunSettings(
        version=version.id if version else settings.version,
        channel=requested.channel or settings.channel,
        method=requested.method or settings.method,
        tools=requested.tools or settings.tools,
        repeats=requested.repeats or settings.repeats,
        personas=personas or settings.personas,
    )


def _edited_since(demand: Demand, run: Body) -> tuple[str, ...]:
    """Evaluations that were written after the run began; the service itself may also write them."""
    began = sortable(run.get("createTime"))
    return tuple(
        f"{item.reference} was last updated at {item.update_time}, after the run began."
        for item in demand.evaluations
        if began and sortable(item.update_time) > began
    )
