"""`cesplan graph`: the tree offline, and what is live."""

import json
from pathlib import Path

import pytest

from cesplan.emulator import EmbeddedEmulator
from tests.cli.conftest import Run, Tree

TREE = """\
help-desk · acme-dev/us · v1beta

  guardrails   no-cards

  front-desk   root agent
      tools        lookup-order (lookup_order)
"""


def test_the_graph_of_the_tree_needs_no_service(
    tree: Tree, cesplan: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CES_EMULATOR_HOST", "127.0.0.1:1")
    done = cesplan("graph")
    assert (done.code, done.out.rstrip("\n") + "\n", done.err) == (0, TREE.replace(" (lookup_order)", ""), "")


def test_live_is_shown_under_the_keys_of_the_tree(tree: Tree, cesplan: Run, service: EmbeddedEmulator) -> None:
    """What was applied is what the tree has; an app that is not live is told."""
    missing = cesplan("graph", "--live")
    assert (missing.code, missing.out, missing.err) == (0, "", "Notice: help-desk is not live\n")
    cesplan("apply", "--auto-approve")
    ours, live = (
        json.loads(cesplan("graph", *more, "--all", "--format", "json").out) for more in ([], ["--live"])
    )
    assert (ours.pop("live"), live.pop("live")) == (False, True)
    assert ours == live


def test_one_resource_and_what_leads_to_it(tree: Tree, cesplan: Run) -> None:
    done = cesplan("graph", "help-desk/tools/lookup-order")
    assert "    used by      agents/front-desk\n" in done.out
    assert "    leads here   the app\n" in done.out


def test_every_format_goes_to_a_file_too(tree: Tree, cesplan: Run) -> None:
    done = cesplan("graph", "--format", "mermaid", "--report", "dot=app.dot", "--report", "text=app.txt")
    assert done.out.startswith("flowchart LR\n")
    assert Path("app.dot").read_text().startswith("digraph app {\n")
    assert Path("app.txt").read_text().startswith("help-desk · ")


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("help-desk/tools/lookup-ordr", "Did you mean `help-desk/tools/lookup-order`?"),
        ("no/such", "`no/such` is not an address"),
    ],
)
def test_an_address_that_is_none_is_wrong_usage(tree: Tree, cesplan: Run, address: str, said: str) -> None:
    done = cesplan("graph", address)
    assert (done.code, done.out) == (64, "")
    assert said in " ".join(done.err.split())


def test_the_graph_of_a_broken_tree_is_refused_with_its_errors(tree: Tree, cesplan: Run) -> None:
    tree.write("apps/help-desk/agents/front-desk.yaml", "displayName: Front\ntools: [no-such]\n")
    done = cesplan("graph")
    assert (done.code, done.out) == (7, "")
    assert "CES021" in done.err
