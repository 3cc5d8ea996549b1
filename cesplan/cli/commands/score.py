"""`cesplan score`: the scores of ADK's own files, without a service."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cesplan.cli.exit_codes import ExitCode
from cesplan.cli.group import CONTEXT, Command
from cesplan.cli.options import common_options
from cesplan.cli.reports import report_options
from cesplan.cli.session import Session
from cesplan.domain.features.scores import ScoreStatus

if TYPE_CHECKING:
    from cesplan.domain.features.scores import ScoreReport

_CODES = {
    ScoreStatus.PASSED: ExitCode.DONE,
    ScoreStatus.FAILED: ExitCode.REFUSED,
    ScoreStatus.NOT_EVALUATED: ExitCode.INCONCLUSIVE,
}


@click.command(
    "score",
    cls=Command,
    context_settings=CONTEXT,
    epilog="""
\b
Examples:
  cesplan score desk.evalset.json desk.evalset_result.json
  cesplan score desk.evalset.json run-*.json --config test_config.json --runs 3
  cesplan score desk.evalset.json run.json --metric tool_trajectory_avg_score
  cesplan score desk.evalset.json run.json --report junit=scores.xml
""",
)
@click.argument("eval_set", metavar="EVALSET", type=click.Path(path_type=Path))
@click.argument("results", metavar="RESULTS...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--config",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="A test configuration of ADK with the criteria.  [default: trajectory 1.0, response match 0.8]",
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
@report_options("text", "json", "junit")
@common_options
@click.pass_obj
def command(
    session: Session,
    eval_set: Path,
    results: tuple[Path, ...],
    config: Path | None,
    metrics: tuple[str, ...],
    runs: int | None,
) -> int:
    """
    Score runs of an agent against an eval set of ADK.

    EVALSET is an eval set of ADK (`*.evalset.json`) with the expected turns. RESULTS are results of ADK
    (`*.evalset_result.json`), or an eval set that holds the actual turns; a case that is there several times
    has several runs. Computes `tool_trajectory_avg_score` and `response_match_score` from the turns, as ADK
    does; scores that the results record are not trusted. Works offline. `response_match_score` needs the extra
    `evaluation`.

    Exits with 0 if every case meets every threshold, 5 if a threshold is missed, and 8 if none is missed but
    something could not be evaluated: a criterion that needs a judge, a case without results, other turns than
    expected. Invalid files end with 7.
    """
    from cesplan.workflow.scores.scoring import score

    for path in filter(None, (eval_set, *results, config)):
        session.reports.check_apart(path)
    report = score(eval_set, results, config=config, metrics=metrics, runs=runs or 0)
    return _show(session, report)


def _show(session: Session, report: "ScoreReport") -> int:
    code = int(_CODES[report.status])
    console = session.console

    def text(*, is_file: bool) -> str:
        from cesplan.cli.report_formats import FILE_VIEW
        from cesplan.features.scores.text_report import scores_text

        return scores_text(report, FILE_VIEW if is_file else console.out_view)

    def json() -> str:
        from cesplan.render.machine.formats.scores import ScoreReportJson

        return ScoreReportJson.of(report, exit_code=code).text()

    def junit() -> str:
        from cesplan.features.scores.junit_report import scores_junit

        return scores_junit(report)

    renderers = {
        "text": lambda: text(is_file=False),
        "text file": lambda: text(is_file=True),
        "json": json,
        "junit": junit,
    }
    session.reports.give(console, renderers)
    return code
