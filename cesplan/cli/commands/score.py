"""`cesplan score`: scores of ADK files, with judges if requested."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cesplan.cli.commands import shared_options as shared
from cesplan.cli.commands.judge_options import JudgeChoice, confirm_calls, judge_options
from cesplan.cli.exit_codes import ExitCode
from cesplan.cli.group import define
from cesplan.cli.live_line import wait_line
from cesplan.cli.loading import showing_errors
from cesplan.cli.report_formats import write_report
from cesplan.cli.reports import report_options
from cesplan.cli.session import Session
from cesplan.domain.features.scores import ScoreStatus
from cesplan.domain.lazily import lazily
from cesplan.domain.text.words import count

if TYPE_CHECKING:
    from cesplan.domain.features.scores import ScoreReport
    from cesplan.workflow.scores.scoring import Scoring

with lazily():
    from cesplan.features.scores import junit_report, text_report
    from cesplan.render.machine.formats import scores
    from cesplan.workflow import emulating
    from cesplan.workflow.scores import scoring as scoring_run


_CODES = {
    ScoreStatus.PASSED: ExitCode.DONE,
    ScoreStatus.FAILED: ExitCode.REFUSED,
    ScoreStatus.NOT_EVALUATED: ExitCode.INCONCLUSIVE,
}


@define(
    "score",
    epilog="""
\b
Examples:
  cesplan score desk.evalset.json desk.evalset_result.json
  cesplan score desk.evalset.json run-*.json --config test_config.json --runs 3
  cesplan score desk.evalset.json run.json --metric tool_trajectory_avg_score
  cesplan score desk.evalset.json run.json --report junit=scores.xml
  cesplan score desk.evalset.json run.json --config test_config.json --judge --judge-project acme-eval
""",
)
@click.argument("eval_set", metavar="EVALSET", type=click.Path(path_type=Path))
@click.argument("results", metavar="RESULTS...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--config",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="An ADK test configuration with the criteria.  [default: trajectory 1.0, response match 0.8]",
)
@click.option(
    "--metric",
    "metrics",
    multiple=True,
    metavar="NAME",
    help="Score only this criterion of the configuration. Can be repeated.",
)
@click.option(
    "--runs",
    type=click.IntRange(min=1),
    metavar="N",
    help="Require N runs of every case.  [default: at least one]",
)
@judge_options
@shared.auto_approve(help="Ask judges without a prompt. Required if there is no terminal.")
@report_options("text", "json", "junit")
def command(
    session: Session,
    eval_set: Path,
    results: tuple[Path, ...],
    config: Path | None,
    metrics: tuple[str, ...],
    runs: int | None,
    judges: JudgeChoice,
    auto_approve: bool,
) -> int:
    """
    Score runs of an agent against an ADK eval set.

    EVALSET is an ADK eval set (`*.evalset.json`) with the expected turns. RESULTS are ADK results
    (`*.evalset_result.json`), or an eval set with the actual turns; several results of one case are several
    runs. Computes `tool_trajectory_avg_score` and `response_match_score` from the turns, as ADK does, and
    ignores recorded scores. Works offline. `response_match_score` needs the extra `evaluation`.

    With --judge, Vertex AI decides the criteria that need a model; the number of requests is shown before any
    is sent. A criterion without a decision has not passed.

    Exits with 0 if every case meets every threshold, 5 if a threshold is missed, and 8 if none is missed but
    something could not be evaluated: a criterion that needs a judge, a case without results, a different number
    of turns. Invalid files exit with 7.
    """
    for path in filter(None, (eval_set, *results, config)):
        session.reports.check_apart(path)
    scoring = scoring_run.read_scoring(eval_set, results, config=config, metrics=metrics, runs=runs or 0)
    if judges.judge and scoring.judge_calls:
        report = _judged(session, scoring, judges, auto_approve=auto_approve)
    else:
        report = scoring.scored()
    return _show(session, report)


def _judged(session: Session, scoring: "Scoring", judges: JudgeChoice, *, auto_approve: bool) -> "ScoreReport":
    """Ask the judges, after a person approved the cost."""
    expected = scoring.judge_calls
    judges.check(expected)
    scoring.scored()  # report what is wrong with the rest before anything costs money
    with (
        showing_errors(session),
        emulating.emulator(session.root, embedded=session.emulator) as address,
        judges.connected(session, address) as judge,
    ):
        session.console.notify_escaped(f"Judges: at least {count(expected, 'request')} to Vertex AI\n")
        confirm_calls(session, expected, is_approved=auto_approve)
        with wait_line(session, "Asking judges"):
            return scoring.judged(judge, judges.limits)


def _show(session: Session, report: "ScoreReport") -> int:
    code = int(_CODES[report.status])
    write_report(
        session,
        lambda view: text_report.scores_text(report, view),
        json=lambda: scores.ScoreReportJson.of(report, exit_code=code).text(),
        junit=lambda: junit_report.scores_junit(report),
    )
    return code
