"""Results: existing evaluation runs, read and judged. Read-only: no run can be started."""

from cesplan.domain.errors import UsageError
from cesplan.domain.features.evaluation import EvaluationChoice, RunReport
from cesplan.domain.frozen import dataclass
from cesplan.domain.resource_name import last_id
from cesplan.domain.settings import Settings
from cesplan.domain.value import Body
from cesplan.workflow.connecting import GOOGLE, Connection
from cesplan.workflow.evaluation.evaluating import RequestedSettings, evaluating
from cesplan.workflow.live_app.target import AppTarget


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
    The results of a run, by its id, full name or display name; of the newest run without one. They are checked
    against the run's own settings, and against the current demands of its evaluations. Raises UsageError,
    InvalidConfiguration, and what the service answers.
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
