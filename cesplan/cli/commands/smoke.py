"""`cesplan smoke`: talk to an agent in steps, and report what it does."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cesplan.cli.commands import shared_options as shared
from cesplan.cli.commands.app_options import AppChoice, app_options
from cesplan.cli.commands.evaluate import CODES
from cesplan.cli.commands.talk_options import TalkOptions, talk_options
from cesplan.cli.group import define
from cesplan.cli.live_line import progress_line
from cesplan.cli.loading import service_connection
from cesplan.cli.options import TreeChoice, tree_options
from cesplan.cli.report_formats import write_report
from cesplan.cli.reports import report_options
from cesplan.cli.session import Session
from cesplan.domain.features.release import SmokeStep, sessions_in
from cesplan.domain.features.smoke import SmokeReport
from cesplan.domain.lazily import lazily
from cesplan.domain.text.words import count

if TYPE_CHECKING:
    from cesplan.workflow.smoke.running import SmokeTarget

with lazily():
    from cesplan.features.smoke import junit_report, running, text_report
    from cesplan.render.machine.formats import smoke
    from cesplan.workflow.smoke import opening
    from cesplan.workflow.smoke import running as smoke_run


@define(
    "smoke",
    epilog="""
\b
Examples:
  cesplan smoke steps.yaml --fake-tools
  cesplan smoke steps.yaml --deployment staging --version v42
  cesplan smoke web -e prod --report junit=smoke.xml      # the steps of the release `web`

\b
A file of steps:
  - say: Where is order A-1001?
    expect: {tools: [lookup-order], agent: orders, says: A-1001}
  - {say: Thank you, expect: {ends: true}}
  - {tool: lookup-order, args: {order: A-1001}, response: {state: sent}}
  - {toolset: shop, toolIds: [getOrder, cancelOrder]}
""",
)
@click.argument("steps", metavar="FILE|RELEASE")
@talk_options
@shared.max_sessions(
    default=20, show_default=True, help="Start at most this many sessions; further steps are inconclusive."
)
@app_options
@tree_options
@report_options("text", "json", "junit")
def command(
    session: Session, steps: str, talk: TalkOptions, max_sessions: int, app_choice: AppChoice, tree: TreeChoice
) -> int:
    """
    Run the steps of a smoke test and check what the agent does.

    FILE is a YAML list of steps. RELEASE is a release of the tree: its `smoke` steps run on its
    `smokeDeployment`, which must serve its candidate. Steps with `say` share one session, unless a step has
    `newSession`. A step can expect `tools` and `transfers` in order (other calls may come in between; an empty
    list means none), the `agent` that answers, parts of what it `says` or `neverSays`, and whether the session
    `ends`. `tool` executes a tool of the draft, with `mocks` for the tools that it calls; `toolset` checks that
    its `toolIds` exist.

    Every step runs once. A step is inconclusive if its result cannot be observed: after an error of the
    service, if an answer has no diagnostics but a tool is expected, or if the deployment serves another
    version.

    Exits with 0 if every step passed, with 5 if one failed, and with 8 if none failed and one is inconclusive.
    """
    path = Path(steps)
    is_file = path.is_file() or path.suffix in (".yaml", ".yml")
    with service_connection(session) as connection:
        given = opening.read_steps(path) if is_file else ()
        where = app_choice.target(session, tree, "smoke")
        with opening.talking(where, connection, seconds=talk.timeout) as app:
            if not is_file:
                release = opening.find_release(steps, app.releases)
                given = release.smoke
                target = app.of_release(release, talk.choice())
            else:
                target = app.chosen(talk.choice())
            _announce(session, target, given)
            with progress_line(session) as show:
                report = smoke_run.run_smoke(
                    given,
                    target,
                    running.SmokeLimits(sessions=max_sessions),
                    app.client,
                    lambda number, step: show(f"Step {number} of {len(given)}"),
                )
    return _show(session, report)


def _announce(session: Session, target: "SmokeTarget", steps: tuple[SmokeStep, ...]) -> None:
    """Show on stderr what is about to be run."""
    effects = "fake tools" if target.fakes else "real tools: they have real effects"
    settings = target.settings
    service = f" ({settings.where})" if settings.where else ""
    what = f"{count(len(steps), 'step')} in {count(sessions_in(steps), 'session')}"
    session.console.notify_escaped(f"{what} with {target.app_key}{service}, {effects}\n")


def _show(session: Session, report: SmokeReport) -> int:
    code = int(CODES[report.verdict])
    write_report(
        session,
        lambda view: text_report.smoke_text(report, view),
        json=lambda: smoke.SmokeReportJson.of(report, exit_code=code).text(),
        junit=lambda: junit_report.smoke_junit(report),
    )
    return code
