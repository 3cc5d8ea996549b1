"""`cesplan render`: the tree of one environment, with everything expanded but secrets."""

import click

from cesplan.cli.exit_codes import ExitCode
from cesplan.cli.group import CONTEXT, Command
from cesplan.cli.loading import load_tree
from cesplan.cli.options import TreeChoice, common_options, tree_options
from cesplan.cli.reports import stdout_format
from cesplan.cli.session import Session
from cesplan.domain.choice import Choice


@click.command(
    "render",
    cls=Command,
    context_settings=CONTEXT,
    epilog="""
\b
Examples:
  cesplan render -e prod
  cesplan render -e prod support-desk/agents/front-desk
  diff <(cesplan render -e dev) <(cesplan render -e prod)
  cesplan render -e prod 'agents/*' --format json | jq '.resources[].body'
""",
)
@click.argument("patterns", nargs=-1, metavar="[ADDRESS]...")
@tree_options
@stdout_format("yaml", "json")
@common_options
@click.pass_obj
def command(session: Session, patterns: tuple[str, ...], tree: TreeChoice) -> int:
    """
    Show what the tree says in one environment. Asks nobody.

    Each resource as one file would say it: what lies in environments/ENV/ is merged and patched in, texts and
    variables are put in, references have their kind. A secret is shown as its variable. Above each resource
    stand the files that it comes from. ADDRESS may hold `*`; without one all are shown.
    """
    from cesplan.workflow.rendering import rendered, yaml_text

    found = rendered(load_tree(session, tree), Choice(only=patterns))
    if session.json:
        from cesplan.render.machine.tree import tree_json

        pairs = ((item.resource, item.files) for item in found.resources)
        session.console.data(tree_json(found.settings, pairs))
    else:
        session.console.data(yaml_text(found))
    return ExitCode.DONE
