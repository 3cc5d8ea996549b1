"""The group of commands: their names and one line each; a command's module is imported when it is used."""

from collections.abc import Mapping
from difflib import get_close_matches
from importlib import import_module

import click

from cesplan.cli.options import CommonOption, common_options

COMMANDS: Mapping[str, tuple[str, str]] = {
    "validate": (
        "cesplan.cli.commands.validate",
        "Check the tree offline and report every problem.",
    ),
    "plan": ("cesplan.cli.commands.plan", "Show the changes that would make live match the tree."),
    "show": ("cesplan.cli.commands.show", "Show a saved plan."),
    "render": ("cesplan.cli.commands.render", "Show the tree as one environment sees it, offline."),
    "graph": ("cesplan.cli.commands.graph", "Show which resources refer to which, in the tree or live."),
    "promote": (
        "cesplan.cli.commands.promote",
        "Compare two environments and plan the second.",
    ),
    "apply": ("cesplan.cli.commands.apply", "Plan, ask for approval and apply; or apply a saved plan."),
    "drift": ("cesplan.cli.commands.drift", "Report what was edited live since the last apply."),
    "evaluate": (
        "cesplan.cli.commands.evaluate",
        "Run evaluations of an app, wait for them and report the results.",
    ),
    "smoke": ("cesplan.cli.commands.smoke", "Talk to an agent in steps and check what it does."),
    "chat": ("cesplan.cli.commands.chat", "Talk to an agent in the terminal."),
    "release": (
        "cesplan.cli.commands.release",
        "Gate a version with evaluations, and move traffic to it step by step.",
    ),
    "pull": ("cesplan.cli.commands.pull", "Write a live app to files, or merge live edits into them."),
    "init": ("cesplan.cli.commands.init", "Create a small tree to start from."),
    "convert": (
        "cesplan.cli.commands.convert",
        "Convert an app between a tree and an official export.",
    ),
    "schema": ("cesplan.cli.commands.schema", "Write JSON Schemas for the files of a tree, for editors."),
    "ci": ("cesplan.cli.commands.ci", "Set up a pipeline: plan on pull requests, apply after the merge."),
    "cron": ("cesplan.cli.commands.cron", "Set up the drift alarm on a schedule."),
    "policy": ("cesplan.cli.commands.policy", "Test the policy rules that plans must follow."),
    "score": ("cesplan.cli.commands.score", "Score runs of an agent against an eval set of ADK."),
    "emulator": ("cesplan.cli.commands.emulator", "Run a local server that behaves like CES."),
}

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class Command(click.Command):
    """A command whose help shows the common options apart from its own."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        sections: dict[str, list[tuple[str, str]]] = {"Options": [], "Common options": []}
        for parameter in self.get_params(ctx):
            # Arguments are described in the text: some versions of Click give them a row without a word.
            record = None if isinstance(parameter, click.Argument) else parameter.get_help_record(ctx)
            if record is not None:
                is_common = isinstance(parameter, CommonOption) or parameter.name == "help"
                sections["Common options" if is_common else "Options"].append(record)
        for title, rows in sections.items():
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


class LazyGroup(click.Group):
    """A group that imports a command when it is called, and not to list it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = import_module(COMMANDS[cmd_name][0]).command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            near = get_close_matches(args[0], COMMANDS, n=1)
            hint = f" Did you mean `{near[0]}`?" if near else ""
            raise click.UsageError(f"Unknown command `{args[0]}`.{hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, help_text) for name, (_, help_text) in COMMANDS.items()])


@click.group(
    cls=LazyGroup,
    context_settings=CONTEXT,
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
@click.version_option(package_name="cesplan", message="cesplan %(version)s")
@common_options
def group() -> None:
    """
    Manage conversational agents on Google CES as code.

    A tree of YAML files declares the agents; `plan` compares it with the live resources and shows every
    difference; `apply` makes exactly those changes.
    """
