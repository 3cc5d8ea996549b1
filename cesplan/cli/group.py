"""The group of commands: their names and one line each; a command's module is imported when it is used."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

import click

from cesplan import __version__
from cesplan.cli.options import CommonOption, common_options

COMMANDS: Mapping[str, str] = {
    "validate": "Check the tree offline and report every problem.",
    "plan": "Show the changes that would make live match the tree.",
    "show": "Show a saved plan.",
    "render": "Show the tree as one environment sees it, offline.",
    "graph": "Show which resources refer to which, in the tree or live.",
    "promote": "Compare two environments and plan the second.",
    "apply": "Plan, ask for approval, and apply; or apply a saved plan.",
    "rollback": "Move a deployment back to a version it served before.",
    "drift": "Report what was edited live since the last apply.",
    "history": "Show past applies and the live edits between them.",
    "evaluate": "Run evaluations of an app, wait for them, and report the results.",
    "smoke": "Talk to an agent in steps and check what it does.",
    "chat": "Talk to an agent in the terminal.",
    "release": "Gate a version with evaluations, and move traffic to it step by step.",
    "pull": "Write a live app to files, or merge live edits into them.",
    "list": "List the apps of a project and location.",
    "init": "Create a small tree to start from.",
    "convert": "Convert an app between a tree and an official export.",
    "schema": "Write JSON Schemas for the files of a tree, for editors.",
    "ci": "Set up a pipeline: plan on pull requests, apply after the merge.",
    "cron": "Set up the drift alarm on a schedule.",
    "policy": "Test the policy rules that plans must follow.",
    "score": "Score runs of an agent against an ADK eval set.",
    "mcp": "Serve the tree to coding agents, read-only, over MCP.",
    "explain": "Explain a code, such as CES021, or list all codes.",
    "completion": "Print the script for completion in your shell.",
    "emulator": "Run a local server that behaves like CES.",
}
"""Each command, and its line in the help."""

_ELSEWHERE = {"mcp": "cesplan.mcp.command"}
"""The modules of commands that are not in `cesplan.cli.commands` under their names."""

ALIASES: Mapping[str, str] = {
    "check": "validate",
    "lint": "validate",
    "diff": "plan",
    "push": "apply",
    "import": "pull",
}
"""Commands of other tools that stand for one of ours; they work, but help does not list them."""

ANSWERS: Mapping[str, str] = {
    "destroy": "To delete resources, remove their files and run `cesplan apply`. To delete an app, remove its "
    "folder and run `cesplan apply --allow-delete APP`.",
    "state": "There is no state file: live is the state. `cesplan drift` shows what was edited live; `$id` in "
    "a file names the live resource that it describes.",
    "refresh": "Every plan reads live: run `cesplan plan` for the differences, `cesplan drift` for the "
    "live edits.",
    "workspace": "Environments are in cesplan.yaml: choose one with `-e ENV` or CESPLAN_ENVIRONMENT.",
    "output": "Commands write reports with `--report FORMAT=FILE` and `--format json`.",
    "fmt": "There is no formatter: cesplan keeps the formatting of your files. `cesplan validate` checks them.",
    "login": "cesplan uses Application Default Credentials: run `gcloud auth application-default login`.",
}
"""Commands of other tools that have no counterpart, with what to do instead."""

_NEAR = 0.7
"""How similar a name must be to count as a typo."""

HELP_WIDTH = 80
"""Columns of the top-level help, which is prepared in help.txt."""

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


def _check_dashes(command: click.Command, context: click.Context, arguments: list[str]) -> None:
    """
    Long options begin with two dashes. Click would read `-out` as the short options -o, -u, and -t.

    Raises UsageError with the option that was meant.
    """
    known = {name for item in command.get_params(context) for name in (*item.opts, *item.secondary_opts)}
    for text in arguments[: arguments.index("--") if "--" in arguments else None]:
        name = text.partition("=")[0]
        if len(name) > 2 and name[0] == "-" != name[1] and f"-{name}" in known:
            raise click.UsageError(f"Unknown option `{name}`. Did you mean `-{name}`?", context)


class _Strict(click.Command):
    """What all commands and groups share: the settings of the help, and that long options have two dashes."""

    def __init__(self, name: str | None = None, **attributes: Any) -> None:
        super().__init__(name, **{"context_settings": CONTEXT, **attributes})

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not ctx.resilient_parsing:
            _check_dashes(self, ctx, args)
        return super().parse_args(ctx, args)


class Command(_Strict):
    """A command whose help lists the common options separately."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        sections: dict[str, list[tuple[str, str]]] = {"Options": [], "Common options": []}
        for parameter in self.get_params(ctx):
            # Arguments are described in the text: some versions of Click give them an empty row.
            record = None if isinstance(parameter, click.Argument) else parameter.get_help_record(ctx)
            if record is not None:
                is_common = isinstance(parameter, CommonOption) or parameter.name == "help"
                sections["Common options" if is_common else "Options"].append(record)
        for title, rows in sections.items():
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


class Group(_Strict, click.Group):
    """A group of commands of one kind, such as `cesplan release`."""

    def define(
        self, name: str, *, cls: type[Command] = Command, **attributes: Any
    ) -> Callable[[Callable[..., Any]], Command]:
        """Declare a command of this group, as `define` does."""

        def defined(function: Callable[..., Any]) -> Command:
            command = define(name, cls=cls, **attributes)(function)
            self.add_command(command)
            return command

        return defined


def define(
    name: str, *, cls: type[Command] = Command, **attributes: Any
) -> Callable[[Callable[..., Any]], Command]:
    """Declare a command: it has the common options, and its function receives the session."""
    return lambda function: click.command(name, cls=cls, **attributes)(common_options(click.pass_obj(function)))


class LazyGroup(_Strict, click.Group):
    """A group that imports a command when it is called, not when it is listed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = import_module(_ELSEWHERE.get(cmd_name, f"cesplan.cli.commands.{cmd_name}")).command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, *rest = args
        if name == "help":
            name, rest = (rest[0], ["--help"]) if rest else ("", [])
            if not name:
                click.echo(ctx.get_help())
                ctx.exit()
        if name == "version":
            click.echo(version_text())
            ctx.exit()
        if name in ANSWERS:
            raise click.UsageError(f"There is no command `{name}`. {ANSWERS[name]}", ctx)
        name = ALIASES.get(name, name)
        if not name.startswith("-") and name not in COMMANDS:
            from difflib import get_close_matches  # only slips need it

            near = get_close_matches(name, COMMANDS, n=1, cutoff=_NEAR)
            hint = f" Did you mean `{near[0]}`?" if near else ""
            raise click.UsageError(f"Unknown command `{name}`.{hint}", ctx)
        return super().resolve_command(ctx, [name, *rest])

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([*COMMANDS.items()])


def version_text() -> str:
    """What `--version` says."""
    return f"cesplan {__version__}"


def _print_version(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    if value and not context.resilient_parsing:
        click.echo(version_text())
        context.exit()


@click.group(
    cls=LazyGroup,
    context_settings={**CONTEXT, "max_content_width": HELP_WIDTH},
    epilog="""
\b
Examples:
  cesplan init my-agents && cd my-agents
  cesplan validate
  cesplan plan --emulator           # no Google account needed
  cesplan apply --emulator
  cesplan plan -e prod              # the real service

Run `cesplan COMMAND --help` for details. Exit codes: 0 success, 1 error, 2 changes
(--detailed-exitcode) or drift, 3 partially applied, 4 conflict and nothing written, 5 refused,
6 permission denied, 7 invalid tree, 8 inconclusive, 64 usage error, 130 interrupted.
""",
)
@click.option(
    "-V",
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_print_version,
    help="Show the version and exit.",
)
@common_options
def group() -> None:
    """
    Manage conversational agents on Google CES as code.

    A tree of YAML files declares the agents; `plan` compares it with the live resources and shows every
    difference; `apply` makes exactly those changes.
    """
