"""`cesplan drift`: live edits since the last apply, in one tree or many."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cesplan.cli.alarm.options import AlarmChoice, alarm_options
from cesplan.cli.alarm.sounding import sound
from cesplan.cli.commands import shared_options as shared
from cesplan.cli.exit_codes import ExitCode, worst
from cesplan.cli.group import Command, define
from cesplan.cli.live_line import progress_line
from cesplan.cli.loading import showing_errors
from cesplan.cli.options import ENVIRONMENT, TreeChoice, refuse_combinations, variables_option
from cesplan.cli.report_formats import write_report
from cesplan.cli.reports import LINES, report_options
from cesplan.cli.session import Session
from cesplan.domain.choice import Choice
from cesplan.domain.errors import UsageError
from cesplan.domain.frozen import dataclass
from cesplan.domain.lazily import lazily
from cesplan.domain.text.words import count

if TYPE_CHECKING:
    from cesplan.domain.features.drift import DriftReport
    from cesplan.features.drift.shards import Shard
    from cesplan.workflow.drift.checking import DriftOptions, TreeToCheck, Watcher

with lazily():
    from cesplan.cli.commands import drift_progress
    from cesplan.config.project import project
    from cesplan.features.drift import filters, html_report, junit_report, markdown_report, shards, text_report
    from cesplan.features.drift.alarm import fingerprint as alarm_fingerprint
    from cesplan.render.machine.formats import drift, events
    from cesplan.workflow import emulating
    from cesplan.workflow.drift import branching, checking


_FORMATS = ("text", "json", "jsonl", "markdown", "junit", "html")
_DEFAULT_BRANCH = "-"
"""Not a valid branch name: it stands for the default name."""
_MOST_TARGETS = 5
"""With more resources than this, a suggested command names none and covers all."""


class _Drift(Command):
    """The command; `merge` as the first argument joins reports, and a folder of that name is `./merge`."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        if args[:1] == ["merge"]:
            return merge_command.make_context("merge", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Selection:
    """The command line, for the commands that are suggested."""

    trees: tuple[str, ...]
    environments: tuple[str, ...]
    variables: dict[str, str]


def _shard(context: click.Context, parameter: click.Parameter, value: str | None) -> "Shard | None":
    try:
        return shards.parse_shard(value) if value else None
    except ValueError as error:
        raise click.BadParameter(f"{error}.", context, parameter) from error


@define(
    "drift",
    cls=_Drift,
    epilog="""
\b
Examples:
  cesplan drift -e prod                          # exits with 2 if live was edited
  cesplan drift -e prod --since 24h --author '*@acme.example'
  cesplan drift -e prod --open-branch             # the live edits as a commit, to review
  cesplan drift --all-environments --report json=drift.json
  cesplan drift teams/*/ -e prod --shard 2/8 --format json > drift-2.json
  cesplan drift merge drift-*.json               # one report of all shards
""",
)
@click.argument("trees", metavar="[TREE]...", nargs=-1)
@shared.environments(help="An environment from cesplan.yaml. Can be repeated.")
@click.option("--all-environments", is_flag=True, help="Check every environment in cesplan.yaml.")
@variables_option
@click.option("--app", "apps", multiple=True, metavar="PATTERN", help="Check only these apps; `*` is allowed.")
@shared.targets(help="Report only these resources; `*` matches within one part of the address.")
@shared.since(
    help="Report only live edits since then, and those of unknown time: 2026-11-20T17:40Z, 30m, 24h, 7d."
)
@shared.authors(
    help="Report only live edits by these authors; `*` is allowed, and '' stands for an unknown author."
)
@click.option(
    "--shard",
    metavar="I/N",
    callback=_shard,
    help="Check only part I of N of the apps.  [default: as the Kubernetes or Cloud Run job says, else all]",
)
@shared.quick(help=shared.QUICK)
@click.option(
    "--open-branch",
    "branch",
    metavar="NAME",
    is_flag=False,
    flag_value=_DEFAULT_BRANCH,
    help="Merge the live edits in a commit on a new branch, without touching the checkout. "
    "--open-branch alone names it cesplan/drift, or cesplan/drift-ENV. Nothing is pushed.",
)
@alarm_options
@report_options(*_FORMATS)
def command(
    session: Session,
    trees: tuple[str, ...],
    environments: tuple[str, ...],
    all_environments: bool,
    variables: dict[str, str],
    apps: tuple[str, ...],
    targets: tuple[str, ...],
    quick: bool,
    since: datetime | None,
    authors: tuple[str, ...],
    shard: "Shard | None",
    branch: str | None,
    alarm: AlarmChoice,
) -> int:
    """
    Report what was edited live since the last apply, and by whom.

    Compares three states: the tree, live, and the last applied state. A difference is `drift` if live changed,
    `pending` if the tree changed and was not applied, a `conflict` if both did, and `converged` if both now
    say the same. The connection is read-only.

    TREE is a folder of a tree; several are checked together, within one request rate.  [default: the tree that
    holds this folder]

    Exits with 2 for drift and conflicts. Pending changes alone exit with 0. An app that cannot be checked is
    reported with its error, and the others are checked.
    """
    if environments and all_environments:
        raise click.UsageError("-e and --all-environments cannot be combined.")
    if not environments and not all_environments and (named := os.environ.get(ENVIRONMENT)):
        environments = (named,)
    selection = _Selection(trees=trees, environments=environments, variables=variables)
    options = checking.DriftOptions(
        apps=apps,
        filter=filters.DriftFilter(choice=Choice(only=targets), since=since, authors=authors),
        shard=shard or shards.shard_of_job(os.environ),
        quick=quick,
    )
    opens, is_part = branch is not None, options.shard.count > 1
    one_place = len(trees) < 2 and len(environments) < 2 and not all_environments
    refuse_combinations(
        ("--quick and --open-branch cannot be combined: a merge reads everything.", quick and opens)
    )
    alarm.check(session.reports)
    refuse_combinations(
        (
            "--notify needs all shards: notify from `cesplan drift merge`, which joins their reports.",
            alarm.urls and is_part,
        ),
        ("--notify and --since cannot be combined: older drift would seem to be gone.", alarm.urls and since),
        ("--open-branch needs one tree and one environment.", opens and not one_place),
        (
            "--open-branch takes all live edits: use no filter but --target.",
            opens and (since or authors or apps or is_part),
        ),
    )
    session.reports.environment = ", ".join(environments)
    with ExitStack() as stack:
        chosen = _trees(session, selection, stack, all_environments=all_environments)
        if branch is not None and branch != _DEFAULT_BRANCH:
            branching.check_branch_name(chosen[0].tree.folder, branch)
        report = checking.check_drift(chosen, options, stack.enter_context(_watching(session)))
        code = show_report(session, report, _hints(session, selection, report), alarm)
        return worst([code, _branch(session, chosen[0], branch, report, options)]) if branch else code


@define(
    "merge",
    epilog="""
\b
Examples:
  cesplan drift merge drift-1.json drift-2.json
  cesplan drift merge drift-*.json --format markdown > drift.md
""",
)
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@alarm_options
@report_options(*_FORMATS)
def merge_command(session: Session, files: tuple[Path, ...], alarm: AlarmChoice) -> int:
    """
    Join the reports of all shards of one run.

    FILE is the JSON of one shard, from `cesplan drift --shard I/N --format json`. Each shard must be there
    once. Exits as the whole run would.
    """
    alarm.check(session.reports)
    return show_report(session, checking.join_reports(files), {}, alarm)


def show_report(session: Session, report: "DriftReport", hints: dict[str, str], alarm: AlarmChoice) -> int:
    """
    Give the report on stdout and in every file, after the alarm; returns the exit code, failures of the alarm
    included.
    """
    failures = sound(session, report, alarm)
    code = worst([exit_code_of(report), *(error.exit_code for error in failures)])
    console = session.console

    def json() -> str:
        summaries = [error.summary for error in failures]
        report_json = drift.DriftReportJson.of(
            report, exit_code=code, fingerprint=alarm_fingerprint.fingerprint(report), alarm_failures=summaries
        )
        return report_json.text()

    if LINES in session.reports.formats:
        session.reports.stream(console, events.drift_lines(report))
    write_report(
        session,
        lambda view: text_report.drift_text(report, view, exit_code=code, hints=hints),
        json=json,
        markdown=lambda: markdown_report.drift_markdown(report, session.reports.environment),
        junit=lambda: junit_report.drift_junit(report),
        html=lambda: html_report.drift_html(report, session.reports.environment),
    )
    return code


def _branch(
    session: Session, tree: "TreeToCheck", name: str, report: "DriftReport", options: "DriftOptions"
) -> int:
    """Prepare the merge on a new branch and report the result; 1 if a conflict is left to decide."""
    report = replace(report, apps=tuple(app for app in report.apps if not app.former))  # nothing to merge into
    if not report.has_drift:
        session.console.notify("No branch was created: nothing was edited live.\n")
        return ExitCode.DONE
    if name == _DEFAULT_BRANCH:
        environment = tree.tree.environment
        name = f"cesplan/drift-{environment}" if environment else "cesplan/drift"
    with showing_errors(session):
        branch = branching.open_branch(
            tree.tree,
            name,
            report,
            choice=options.filter.choice,
            connection=tree.connection,
        )
    for text in branch.open:
        session.console.notify_escaped(f"Open, because both sides changed it: {text}\n")
    if not branch.commit:
        session.console.notify("No branch was created: there is nothing to take into the tree.\n")
    else:
        files = count(branch.files, "file")
        session.console.notify(f"Branch {name}: commit {branch.commit[:12]} changes {files}. Not pushed.\n")
    return ExitCode.ERROR if branch.open else ExitCode.DONE


def exit_code_of(report: "DriftReport") -> int:
    """2 for drift, unless the error of an app that could not be checked ranks higher."""
    codes = [app.exit_code for app in report.apps]
    return worst([*codes, ExitCode.CHANGES if report.has_drift else ExitCode.DONE])


def _trees(
    session: Session, selection: _Selection, stack: ExitStack, *, all_environments: bool
) -> list["TreeToCheck"]:
    """Every environment of every tree, each with its emulator, if it has one."""
    found: list[checking.TreeToCheck] = []
    for name in dict.fromkeys(selection.trees) or ("",):
        folder = Path(name) if name else session.root
        if name and not folder.is_dir():
            raise UsageError(summary=f"{name} is not a folder.", detail="Name the folders of trees.")
        root = project.find_root(folder)
        every = project.environments_of(root) if all_environments and root else ()
        address = stack.enter_context(emulating.emulator(folder, embedded=session.emulator))
        found += [
            checking.TreeToCheck(
                tree=TreeChoice(environment=environment, variables=selection.variables).target(folder),
                name=name or ".",
                connection=session.connection(address),
            )
            for environment in (every or selection.environments or ("",))
        ]
    return found


@contextmanager
def _watching(session: Session) -> Iterator["Watcher"]:
    """Shows the progress of the check, and the errors of trees."""
    with progress_line(session) as show:
        yield drift_progress.FleetProgress(session.console, show)


def _hints(session: Session, selection: _Selection, report: "DriftReport") -> dict[str, str]:
    """The commands that resolve the drift, if it is in one tree and environment."""
    alarming = [app for app in report.apps if app.alarming and not app.former]  # there is nothing to merge into
    places = {(app.tree, app.environment) for app in alarming}
    if len(places) != 1:
        return {}
    tree, environment = places.pop()
    settled = replace(session, chdir=str(Path(session.chdir) / tree) if tree != "." else session.chdir)
    items = [item for app in alarming for item in app.alarming]
    addresses = list(dict.fromkeys(str(item.address) for item in items if not item.release))
    few = addresses if len(addresses) <= _MOST_TARGETS else []
    words = ["-e", environment] if environment else []
    words += [word for name in selection.variables for word in ("--var", f"{name}=…")]
    moved = {
        f"To move back the traffic of {item.address.within_app}": settled.command(
            "rollback", *words, "--app", str(item.address.app), "--deployment", item.address.key
        )
        for item in items
        if item.release
    }
    if not addresses:
        return moved
    targets = [word for address in few for word in ("--target", address)]
    allowed = [word for address in few or ["all"] for word in ("--allow-revert", address)]
    merges = any(not name.startswith("@") for name in addresses)  # location-wide settings are merged by hand
    return {
        **({"To keep live edits": settled.command("pull", "--merge", *words, *targets)} if merges else {}),
        "To revert live edits": settled.command("apply", *words, *targets, *allowed),
        **moved,
    }
