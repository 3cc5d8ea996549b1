"""`cesplan release`: a version is served only after it passes what a release file requires."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cesplan.cli.commands import shared_options as shared
from cesplan.cli.commands.evaluate_progress import RunProgress
from cesplan.cli.confirming import agree, place_of
from cesplan.cli.exit_codes import ExitCode
from cesplan.cli.group import Group
from cesplan.cli.live_line import progress_line
from cesplan.cli.loading import service_connection
from cesplan.cli.options import TreeChoice, tree_options
from cesplan.cli.plan_options import allow_policy_option, allow_unlock_option
from cesplan.cli.report_formats import write_report
from cesplan.cli.reports import report_options
from cesplan.cli.session import Session
from cesplan.domain.frozen import dataclass
from cesplan.domain.lazily import lazily
from cesplan.domain.options import Allowances
from cesplan.domain.value import Body

if TYPE_CHECKING:
    from cesplan.domain.features.gate import GatePlan
    from cesplan.features.releases.report import ReleaseReport
    from cesplan.features.releases.split import Position
    from cesplan.workflow.releases.opening import OpenRelease
    from cesplan.workflow.releases.releasing import Releasing

with lazily():
    from cesplan.config.writing import outputs
    from cesplan.features.releases import (
        html_report,
        json_report,
        junit_report,
        markdown_report,
        split,
        text_report,
    )
    from cesplan.features.releases import report as release_report
    from cesplan.features.releases import words as release_words
    from cesplan.workflow.evidence import evidence_file
    from cesplan.workflow.releases import opening, parts, releasing


_FORMATS = ("text", "json", "markdown", "junit", "html")


@click.group(
    "release",
    cls=Group,
    epilog="""
\b
A release file, apps/<app>/releases/<name>.yaml:
  deployment: web-chat                  # its file names the version to release
  suites:
    regression: {evaluations: {dataset: nightly}, repeats: 3, require: {each: 2 of 3}}
  limits: {sessions: 400}
  canary: [{percent: 5, hold: 1h, conversations: 50}, {percent: 100}]

\b
Examples:
  cesplan release plan -e prod                  # what the gate would run, and its cost
  cesplan release gate -e prod --auto-approve   # run it; moves nothing
  cesplan release start -e prod                 # gate, then the first share of the traffic
  cesplan release step -e prod --auto-approve   # in cron: do what is due
  cesplan release abort -e prod                 # move the traffic back
""",
)
def command() -> None:
    """
    Release versions: evaluate a candidate, decide, and move the traffic of a deployment to it.

    A release file says what a version must pass before a deployment serves it. The version that the
    deployment's own file names is the candidate; `plan` and `apply` leave `appVersion` and the traffic split of
    that deployment to the release.

    Exit codes: 0 passed or done, 5 the gate or the canary failed, 8 inconclusive or holding, 4 someone else
    moved the traffic, 3 the outcome of a move is unknown.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class _ReleaseOptions:
    """The values of the shared options."""

    release: str
    evidence: Path | None
    auto_approve: bool = False
    allow_policy: tuple[str, ...] = ()
    allow_unlock: bool = False
    judge_project: str = ""
    judge_location: str = ""


def _options(
    *, approves: bool, moves: bool = False, gates: bool = False
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The options that subcommands share."""

    def decorated(function: Callable[..., Any]) -> Callable[..., Any]:
        function = tree_options(report_options(*_FORMATS)(function))
        if moves:
            unlock = allow_unlock_option(help="Unlock a locked app for the move, and lock it again afterwards.")
            function = unlock(allow_policy_option(function))
        if gates:
            pays = "The project in which judges run, and which is billed. [default: the project of the app]"
            function = shared.judge_project(help=pays)(shared.judge_location(function))
        if approves:
            unattended = "Skip the prompt. Required if there is no terminal."
            function = shared.auto_approve(help=unattended)(function)
        function = click.option(
            "--evidence",
            metavar="FILE",
            type=click.Path(dir_okay=False, path_type=Path),
            help="The evidence file.  [default: .cesplan/releases/<environment>--<app>--<release>.json]",
        )(function)
        return click.argument("release", required=False, default="", metavar="[RELEASE]")(function)

    return decorated


@command.define(
    "plan",
    short_help="Show what the gate would run and what it would cost.",
    epilog="""
\b
Examples:
  cesplan release plan -e prod
  cesplan release plan -e prod web --format json
""",
)
@_options(approves=False)
def plan(session: Session, tree: TreeChoice, **given: Any) -> int:
    """
    Show what the gate would run, what it would cost, and what blocks it.

    Read-only. RELEASE is the name of a release file, or `<app>/<name>`; it can be left out if the tree has one
    release.
    """
    return _run(session, tree, _ReleaseOptions(**given), lambda work: work.plan())


@command.define(
    "gate",
    short_help="Run what the release requires and give a verdict. Moves no traffic.",
    epilog="""
\b
Examples:
  cesplan release gate -e prod
  cesplan release gate -e prod --auto-approve --report markdown=gate.md --report junit=gate.xml
  cesplan release gate -e prod --report html=gate.html
""",
)
@_options(approves=True, gates=True)
def gate(session: Session, tree: TreeChoice, **given: Any) -> int:
    """
    Run what the release requires, wait, and give a verdict. Moves no traffic.

    Nothing is started while live golden conversations, expectations, or thresholds differ from the tree, or if
    more sessions are expected than the release file allows. Each suite runs once for a version: if the same run
    exists and is not too old, it is evaluated again instead of repeated. Only results that an infrastructure
    error left undecided are run again, a limited number of times.

    The evidence is written to a file: runs, verdicts, scores, and digests of everything that was evaluated.

    Exits with 0 if the gate passed, with 5 if it failed, and with 8 if it is inconclusive: a missing or skipped
    result or an error never counts as a pass.
    """
    return _run(session, tree, _ReleaseOptions(**given), lambda work: work.gate())


@command.define(
    "start",
    short_help="Run the gate, then give the candidate its first share of the traffic.",
    epilog="""
\b
Examples:
  cesplan release start -e prod
  cesplan release start -e prod --auto-approve --report markdown=release.md
""",
)
@_options(approves=True, moves=True, gates=True)
def start(session: Session, tree: TreeChoice, **given: Any) -> int:
    """
    Run the gate, then give the candidate its first share of the traffic: a step of the canary, or all.

    The runs are read from the service, whatever an evidence file says. The traffic is moved with one update,
    with the etag of the deployment and after reading it again; what it served before is recorded first. A
    release that has already begun is left where it is.

    Exits with 0 if the traffic was moved, with 5 or 8 if the gate failed or is inconclusive, and with 4 if
    someone else moved the deployment.
    """
    return _run(session, tree, _ReleaseOptions(**given), lambda work: work.start())


@command.define(
    "step",
    short_help="Do what is due: hold, advance, or move the traffic back.",
    epilog="""
\b
Examples:
  cesplan release step -e prod
  cesplan release step -e prod --auto-approve   # in cron
""",
)
@_options(approves=True, moves=True)
def step(session: Session, tree: TreeChoice, **given: Any) -> int:
    """
    Do what is due at the current step of the canary, and nothing else.

    The position is the live traffic split. A step is over when its time has passed, the candidate has had
    enough conversations, and they meet the step's conditions compared with those of the old version. If they
    are worse than allowed, all traffic goes back to the old version.

    Exits with 0 if the next step was made or nothing is due, with 8 if the step holds, with 5 if the canary
    failed and the traffic was moved back, and with 4 if someone else moved the deployment.
    """
    return _run(session, tree, _ReleaseOptions(**given), lambda work: work.step())


@command.define(
    "status",
    short_help="Show where the release is and what is due.",
    epilog="""
\b
Examples:
  cesplan release status -e prod
  cesplan release status -e prod --format json
""",
)
@_options(approves=False)
def status(session: Session, tree: TreeChoice, **given: Any) -> int:
    """
    Show where the traffic is and what is due. Read-only.

    Exits with 0 if no step holds, with 8 at a step that is not over, with 5 if the candidate is worse than
    allowed, and with 4 if someone else moved the deployment.
    """
    return _run(session, tree, _ReleaseOptions(**given), lambda work: work.status())


@command.define(
    "abort",
    short_help="Restore what was served before.",
    epilog="""
\b
Examples:
  cesplan release abort -e prod
  cesplan release abort -e prod --auto-approve
""",
)
@_options(approves=True, moves=True)
def abort(session: Session, tree: TreeChoice, **given: Any) -> int:
    """
    Restore what the deployment served before the release, with one update.

    Uses the fields that `start` recorded if live agrees with the record; otherwise all traffic goes to the
    version that serves the rest. After the last step, the record is required. Versions and the draft are not
    touched.
    """
    return _run(session, tree, _ReleaseOptions(**given), lambda work: work.abort())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Person:
    """The person at the terminal, or the approval given beforehand."""

    session: Session
    auto_approve: bool
    line: "_Line"

    def approve_gate(self, planned: "GatePlan") -> None:
        rows = [f"{where}  {text}\n" for _, where, text in release_words.plan_rows(planned)]
        self.session.console.notify_escaped("".join(rows))
        place = place_of(planned.service)
        self._approve(f"Start at least {planned.sessions:,} sessions in {place}?", "Nothing was started")

    def approve_move(self, opened: "OpenRelease", before: "Position", after: str) -> None:
        console = self.session.console
        self.line.end()
        where = f"{opened.address}{f' ({opened.settings.where})' if opened.settings.where else ''}"
        console.notify_escaped(
            f"{where}\n  now:   {split.words_of(before, opened.release)}\n  then:  {after}\n"
        )
        self._approve(f"Move the traffic in {place_of(opened.settings)}?", "No traffic was moved")

    def _approve(self, question: str, otherwise: str) -> None:
        self.line.end()
        if self.auto_approve:
            return
        prompt = f"\n{question} Type `yes` to approve: "
        agree(self.session.console, prompt, otherwise=otherwise, verb="approve")


class _Line:
    """The progress line: shown while waiting for runs, and gone before a prompt."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._stack = ExitStack()
        self._progress: RunProgress | None = None

    def __call__(self, suite: str, run: Body, seconds: float) -> None:
        if self._progress is None:
            self._progress = RunProgress(self._session, self._stack.enter_context(progress_line(self._session)))
        self._progress(run, seconds)

    def end(self) -> None:
        """Clear it. The next run shows a new one."""
        self._stack.close()
        self._progress = None

    @contextmanager
    def lasting(self) -> Iterator[None]:
        """If anything ends the wait, the runs continue; show the command that finds them again."""
        try:
            yield
        except BaseException:
            is_waiting = self._progress is not None
            self.end()
            if is_waiting:
                self._session.console.notify("The runs continue. The same command finds them again.\n")
            raise
        finally:
            self.end()


@contextmanager
def _work(session: Session, tree: TreeChoice, options: _ReleaseOptions) -> Iterator["Releasing"]:
    line = _Line(session)
    target = opening.ReleaseTarget(
        tree=tree.target(session.root),
        name=options.release,
    )
    if options.evidence is not None:
        outputs.check_output_file(options.evidence)
    with (
        service_connection(session) as connection,
        opening.open_release(target, connection) as opened,
        line.lasting(),
    ):
        evidence = options.evidence or evidence_file.default_path(opened.root, opened.release, tree.environment)
        session.reports.check_apart(evidence)
        yield releasing.Releasing(
            opened=opened,
            person=_Person(session=session, auto_approve=options.auto_approve, line=line),
            on_progress=line,
            evidence=evidence,
            parts=parts.Parts(judge_project=options.judge_project, judge_location=options.judge_location),
            allowances=Allowances(policy=frozenset(options.allow_policy), unlock=options.allow_unlock),
        )


def _run(
    session: Session,
    tree: TreeChoice,
    options: _ReleaseOptions,
    act: "Callable[[Releasing], ReleaseReport]",
) -> int:
    with _work(session, tree, options) as work:
        report = act(work)
    return _show(session, tree, report)


def _show(session: Session, tree: TreeChoice, report: "ReleaseReport") -> int:
    code = _code(report)
    hints = _hints(session, tree, report)

    write_report(
        session,
        lambda view: text_report.release_text(report, view, hints),
        json=lambda: json_report.ReleaseReportJson.of(report, exit_code=code).text(),
        markdown=lambda: markdown_report.release_markdown(report),
        junit=lambda: junit_report.release_junit(report),
        html=lambda: html_report.release_html(report, hints),
    )
    return code


def _code(report: "ReleaseReport") -> int:
    return {
        release_report.Ending.DONE: ExitCode.DONE,
        release_report.Ending.REFUSED: ExitCode.REFUSED,
        release_report.Ending.INCONCLUSIVE: ExitCode.INCONCLUSIVE,
        release_report.Ending.HOLDING: ExitCode.INCONCLUSIVE,
        release_report.Ending.FOREIGN: ExitCode.CONFLICT,
        release_report.Ending.PARTIAL: ExitCode.PARTIAL,
    }[report.ending]


def _hints(session: Session, tree: TreeChoice, report: "ReleaseReport") -> dict[str, str]:
    """The next commands."""
    words = [*tree.words, report.release.name]
    if report.action == "gate" and report.ending is release_report.Ending.DONE:
        return {"To release it": session.command("release", "start", *words)}
    if report.position.stage is split.Stage.STEP and report.action in ("start", "step", "status"):
        return {
            "To continue": session.command("release", "step", *words),
            "To move the traffic back": session.command("release", "abort", *words),
        }
    return {}
