"""`cesplan render`: the tree of one environment, with everything expanded but secrets."""

import click

from cesplan.cli.exit_codes import ExitCode
from cesplan.cli.group import define
from cesplan.cli.loading import load_tree
from cesplan.cli.options import TreeChoice, tree_options
from cesplan.cli.reports import stdout_format
from cesplan.cli.session import Session
from cesplan.domain.choice import Choice
from cesplan.domain.lazily import lazily

with lazily():
    from cesplan.render.machine.formats import tree as tree_json
    from cesplan.workflow import rendering


@define(
    "render",
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
def command(session: Session, patterns: tuple[str, ...], tree: TreeChoice) -> int:
    """
    Show the tree as one environment sees it, offline.

    Shows each resource as a single file: overlays and patches from environments/ENV/ are applied, texts and
    variables are filled in, references include their kind. A secret is shown as its variable. The files that a
    resource comes from are listed above it. ADDRESS can contain `*`; without one, all resources are shown.
    """
    found = rendering.rendered(load_tree(session, tree), Choice(only=patterns))
    if session.json:
        pairs = ((item.resource, item.files) for item in found.resources)
        session.console.data(tree_json.TreeReport.of(found.settings, pairs).text())
    else:
        session.console.data(rendering.yaml_text(found))
    return ExitCode.DONE
