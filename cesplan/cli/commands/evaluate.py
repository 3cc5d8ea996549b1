"""`cesplan evaluate`: run evaluations, wait for them, and report them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cesplan.cli.commands.app_options import AppChoice, app_options
from cesplan.cli.commands.evaluate_criteria import RequestedCriteria, read_criteria_options
from cesplan.cli.commands.evaluate_export import ExportToAdk, export, export_options
from cesplan.cli.commands.evaluate_options import EvaluationOptions, Limits, evaluate_options
from cesplan.cli.commands.evaluate_progress import RunProgress
from cesplan.cli.commands.judge_options import JudgeChoice, confirm_calls, judge_options
from cesplan.cli.confirming import agree, place_of
from cesplan.cli.exit_codes import ExitCode
from cesplan.cli.group import define
from cesplan.cli.live_line import progress_line
from cesplan.cli.loading import service_connection
from cesplan.cli.options import TreeChoice, tree_options
from cesplan.cli.report_formats import write_report
from cesplan.cli.reports import LINES, report_options
from cesplan.cli.session import Session
from cesplan.domain.errors import Refused
from cesplan.domain.features.evaluation import Demand, EvaluationVerdict, RunReport, ToolBehavior
from cesplan.domain.frozen import dataclass
from cesplan.domain.lazily import lazily
from cesplan.domain.resource_name import last_id
from cesplan.domain.text.words import count

if TYPE_CHECKING:
    from cesplan.workflow.evaluation.evaluating import Evaluating

with lazily():
    from cesplan.features.evaluation import (
        html_report,
        junit_report,
        markdown_report,
        request,
        starting,
        text_report,
    )
    from cesplan.render.machine.formats import evaluation, events
    from cesplan.workflow.evaluation import baseline as evaluation_baseline
    from cesplan.workflow.evaluation import evaluating as evaluating_app


CODES = {
    EvaluationVerdict.PASSED: ExitCode.DONE,
    EvaluationVerdict.FAILED: ExitCode.REFUSED,
    EvaluationVerdict.INCONCLUSIVE: ExitCode.INCONCLUSIVE,
}


@dataclass(kw_only=True)
class _Known:
    """The best known name of the run, for finding it again; empty before anything was sent."""

    run: str = ""
    words: list[str] = field(default_factory=list)


@define(
    "evaluate",
    epilog="""
\b
Examples:
  cesplan evaluate --all
  cesplan evaluate -e prod --dataset nightly --version v42 --repeats 3 --tools fake
  cesplan evaluate --name 'refund-*' --auto-approve --report junit=evaluations.xml
  cesplan evaluate --all --report html=evaluations.html
  cesplan evaluate --tag critical --baseline v41
  cesplan evaluate --tag moods --persona calm=3 --persona hasty=3
  cesplan evaluate --all --criteria test_config.json --judge --judge-project acme-eval
  cesplan evaluate --all --export adk --out eval
  cesplan evaluate --run 5f0c7a52-31f4-4f0e-9a51-6a3d2f1b7c90   # wait for it, or report it again
""",
)
@app_options
@evaluate_options
@click.option(
    "--run",
    "run_name",
    metavar="RUN",
    default="",
    help="Start nothing: wait for this run and report it, by id, full name, or display name.",
)
@click.option(
    "--baseline",
    metavar="RUN|VERSION|FILE",
    default="",
    help="Report regressions and fixes since this run, the newest run of this version, or this JSON report.",
)
@click.option(
    "--criteria",
    "criteria_file",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Also require the criteria in this ADK test configuration of the observed turns.",
)
@judge_options
@export_options
@tree_options
@report_options("text", "json", "jsonl", "markdown", "junit", "html")
def command(
    session: Session,
    tree: TreeChoice,
    app_choice: AppChoice,
    options: EvaluationOptions,
    limits: Limits,
    run_name: str,
    baseline: str,
    exporting: ExportToAdk,
    criteria_file: Path | None,
    judges: JudgeChoice,
) -> int:
    """
    Run evaluations of one app, wait for them, and report the results.

    Chooses evaluations of the live app with --dataset, --tag, --name, or --all. Shows the expected number of
    sessions and asks before it starts, because sessions cost money. Every setting is sent explicitly, so that
    settings of the app have no effect. A run is started only once: if the reply is lost, cesplan looks for the
    run by its name.

    An evaluation passes if every repeat passed. Results that are missing, skipped, cancelled, of another
    version, channel, method, or tool behavior, or judged by other thresholds than the app and the evaluation
    have, do not pass.

    On Ctrl-C, the run continues; `--run` waits for it again. With `--run`, the results are checked against the
    settings on the command line, and otherwise against those of the run.

    With --criteria, the observed turns of golden conversations are scored as in ADK; with --judge, a model on
    Vertex AI decides the criteria that need one. A criterion that is not met fails its evaluation.

    With --export, nothing is run: the chosen evaluations are written as ADK files, and the report lists, turn
    by turn, everything that those files cannot hold.

    Exits with 0 if all evaluations passed, with 5 if one failed, and with 8 if the result is inconclusive:
    infrastructure errors such as an exhausted quota, or a run that did not end in time.
    """
    choice = options.choice()
    if exporting.form:
        if choice.is_empty or run_name or baseline or criteria_file or judges.judge:
            raise click.UsageError(
                "--export needs --dataset, --tag, --name, or --all, and none of --run, --baseline, --criteria, "
                "and --judge."
            )
        return export(session, options, app_choice.target(session, tree, "evaluate"), exporting)
    if not run_name and choice.is_empty:
        raise click.UsageError(
            "Choose evaluations with --dataset, --tag, --name, or --all; or a run with --run."
        )
    known = _Known(words=[*tree.words, *app_choice.words])
    with (
        service_connection(session) as connection,
        evaluating_app.evaluating(app_choice.target(session, tree, "evaluate"), connection) as app,
        _leaving_it_running(session, known),
    ):
        criteria = read_criteria_options(criteria_file, judges, connection.emulator)
        before = evaluation_baseline.read_baseline(baseline, app) if baseline else None
        run = _Running(session=session, app=app, options=options, limits=limits, known=known, criteria=criteria)
        report = run.resumed(run_name) if run_name else run.started()
        report = before.against(report) if before else report
    return _show(session, report, known)


@dataclass(frozen=True, kw_only=True)
class _Running:
    """A run that is started, or found again, and waited for."""

    session: Session
    app: "Evaluating"
    options: EvaluationOptions
    limits: Limits
    known: _Known
    criteria: RequestedCriteria

    def started(self) -> RunReport:
        app, console = self.app, self.session.console
        demand = app.demand(self.options.choice(), self.options.settings())
        calls = self.criteria.calls(demand, app)
        _announce(self.session, demand, app.settings.where, calls)
        _check_sessions(demand, self.limits)
        self.criteria.judges.check(calls)
        if not self.limits.auto_approve:
            _confirm(self.session, demand, calls, place_of(app.settings))
        name = request.unique_name()
        self.known.run = name
        console.notify(f"Starting the run `{name}`.\n")
        started = app.start(demand, name)
        self.known.run = last_id(started.name)
        found = " The reply was lost; the run was found by its name." if started.was_lost else ""
        console.notify_escaped(f"Started the run {self.known.run}.{found}\n")
        return self._finished(demand, started)

    def resumed(self, name: str) -> RunReport:
        run = self.app.find(name)
        demand = self.app.demand_of(run, self.options.choice(), self.options.settings())
        self.known.run = last_id(str(run.get("name", "")))
        if calls := self.criteria.calls(demand, self.app):
            self.criteria.judges.check(calls)
            self.session.console.notify_escaped(f"Judges: at least {count(calls, 'request')} to Vertex AI\n")
            confirm_calls(self.session, calls, is_approved=self.limits.auto_approve)
        started = starting.StartedRun(name=f"{demand.app}/evaluationRuns/{self.known.run}")
        return self._finished(demand, started)

    def _finished(self, demand: Demand, started: "starting.StartedRun") -> RunReport:
        """Wait for a run, compare it with the demand, and score it."""
        app = self.app
        with progress_line(self.session) as show:
            waited = app.waited(started, self.limits.timeout, RunProgress(self.session, show))
            results = app.results(demand, waited.run)
            report = app.judged_by(demand, waited.run, results, gave_up=waited.gave_up, compare=True)
        return self.criteria.scored(self.session, report, results, app)


def _announce(session: Session, demand: Demand, where: str, calls: int) -> None:
    """Show on stderr what is about to be run."""
    settings = demand.settings
    version = f"version {demand.version_name}" if settings.version else "the draft"
    each = f", each {count(settings.repeats, 'time')}" if settings.repeats > 1 else ""
    effects = ": they have real effects" if settings.tools is ToolBehavior.REAL else ""
    service = f" ({where})" if where else ""
    personas = [f"personas {', '.join(map(str, settings.personas))}"] if settings.personas else []
    rows = [
        f"{count(len(demand.evaluations), 'evaluation')} of {demand.app_key}{each}, on {version}{service}",
        f"channel {settings.channel}, method {settings.method}, {settings.tools} tools{effects}",
        *personas,
        f"expected: at least {count(demand.sessions, 'session')}{_judged(calls)}",
    ]
    session.console.notify_escaped("".join(f"{row}\n" for row in rows))


def _judged(calls: int) -> str:
    return f" and {count(calls, 'request')} to judges" if calls else ""


def _check_sessions(demand: Demand, limits: Limits) -> None:
    if limits.max_sessions is not None and demand.sessions > limits.max_sessions:
        why = f"At least {demand.sessions:,} are expected, and --max-sessions is {limits.max_sessions:,}."
        raise Refused(summary="Nothing was started: the run would take too many sessions.", reasons=(why,))


def _confirm(session: Session, demand: Demand, calls: int, place: str) -> None:
    what = f"at least {demand.sessions:,} sessions{_judged(calls)} in {place}"
    question = f"\nStart {what}? Type `yes` to start: "
    agree(session.console, question, otherwise="Nothing was started", verb="start")


@contextmanager
def _leaving_it_running(session: Session, known: _Known) -> Iterator[None]:
    """If anything ends the wait, the run continues; show the command that finds it again."""
    try:
        yield
    except BaseException:
        if known.run:
            command = session.command("evaluate", *known.words, "--run", known.run)
            session.console.notify_escaped(
                f"\nIf the run was started, it continues. To wait for it and report it:\n\n    {command}\n\n"
            )
        raise


def _show(session: Session, report: RunReport, known: _Known) -> int:
    code = CODES[report.verdict]
    console = session.console
    hints = {}
    if report.state in ("QUEUED", "RUNNING"):
        hints["To wait for it again"] = session.command("evaluate", *known.words, "--run", report.run_id)

    if LINES in session.reports.formats:
        session.reports.stream(console, events.evaluation_lines(report))
    write_report(
        session,
        lambda view: text_report.evaluation_text(report, view, hints),
        json=lambda: evaluation.EvaluationReport.of(report, exit_code=code).text(),
        markdown=lambda: markdown_report.evaluation_markdown(report),
        junit=lambda: junit_report.evaluation_junit(report),
        html=lambda: html_report.evaluation_html(report, hints),
    )
    return code
