"""`cesplan ci compare` and `cesplan ci parts`: what the steps of a pipeline need."""

import json
from pathlib import Path

from cesplan.emulator import EmbeddedEmulator
from tests.cli.conftest import Run, Tree

_AGENT = "projects/acme-dev/locations/us/apps/help-desk/agents/front-desk"


def _plan(cesplan: Run, name: str, *more: str) -> None:
    ran = cesplan("plan", "--out", name, *more)
    assert ran.code == 0, ran.err


def _started(cesplan: Run, tree: Tree) -> None:
    """Everything is applied, and then the tree asks for two changes."""
    assert cesplan("apply", "--auto-approve").code == 0
    tree.write("apps/help-desk/agents/front-desk.md", "Be brief.\n")
    tree.write("apps/help-desk/tools/lookup-order.py", "def lookup_order(order: str) -> dict:\n    return {}\n")


def test_a_plan_that_was_reviewed_passes(cesplan: Run, service: EmbeddedEmulator, tree: Tree) -> None:
    """The same changes at a later time; and less of them, for what is missing is done. No request is made."""
    _started(cesplan, tree)
    _plan(cesplan, "reviewed.json")
    _plan(cesplan, "plan.json")
    _plan(cesplan, "half.json", "--target", "help-desk/agents/front-desk")
    before = service.journal.count
    assert (
        cesplan("ci", "compare", "plan.json", "reviewed.json").out
        == "The whole plan was reviewed: 2 changes.\n"
    )
    assert cesplan("ci", "compare", "half.json", "reviewed.json").code == 0
    assert service.journal.count == before


def test_a_change_that_nobody_reviewed_is_named(cesplan: Run, service: EmbeddedEmulator, tree: Tree) -> None:
    """More than was reviewed; another value; and the same value instead of one that nobody saw."""
    _started(cesplan, tree)
    _plan(cesplan, "plan.json")
    _plan(cesplan, "half.json", "--target", "help-desk/agents/front-desk")
    ran = cesplan("ci", "compare", "plan.json", "half.json", "--format", "json")
    assert (ran.code, json.loads(ran.out)["not_reviewed"]) == (
        4,
        [{"address": "help-desk/tools/lookup-order", "action": "update"}],
    )
    row = service.store.get(_AGENT)
    assert row is not None
    service.seed({**row.body, "name": _AGENT, "instruction": "Mine."})
    _plan(cesplan, "later.json")
    ran = cesplan("ci", "compare", "later.json", "plan.json")
    assert ran.code == 4
    assert "  ~ help-desk/agents/front-desk\n" in ran.out
    assert "The plan differs from the reviewed one." in ran.out
    tree.write("apps/help-desk/agents/front-desk.md", "Be rude.\n")
    _plan(cesplan, "rude.json")
    assert cesplan("ci", "compare", "rude.json", "later.json").code == 4


def test_a_version_was_reviewed_with_all_that_it_copies(
    cesplan: Run, service: EmbeddedEmulator, tree: Tree
) -> None:
    """Another change of the app that was applied since the review would be in the version, and in no plan."""
    assert cesplan("apply", "--auto-approve").code == 0
    tree.write("apps/help-desk/agents/front-desk.md", "Be brief.\n")
    tree.write("apps/help-desk/versions/one.yaml", "$id: one-one\ndisplayName: One\n")
    _plan(cesplan, "reviewed.json")
    assert cesplan("apply", "--auto-approve", "--target", "help-desk/agents/front-desk").code == 0
    _plan(cesplan, "plan.json")
    ran = cesplan("ci", "compare", "plan.json", "reviewed.json")
    assert ran.out == "The whole plan was reviewed: 1 change.\n"
    tree.write("apps/help-desk/tools/lookup-order.py", "def lookup_order(order: str) -> dict:\n    return {}\n")
    assert cesplan("apply", "--auto-approve", "--target", "help-desk/tools/lookup-order").code == 0
    _plan(cesplan, "later.json")
    ran = cesplan("ci", "compare", "later.json", "reviewed.json")
    assert (ran.code, "  + help-desk/versions/one\n" in ran.out) == (4, True), ran.out


def test_a_plan_for_another_place_was_not_reviewed(cesplan: Run, service: EmbeddedEmulator, tree: Tree) -> None:
    """However alike the changes are."""
    _plan(cesplan, "dev.json")
    _plan(cesplan, "prod.json", "-e", "prod")
    ran = cesplan("ci", "compare", "prod.json", "dev.json")
    assert ran.code == 5
    assert "projects/acme-prod/locations/us" in ran.err
    assert "projects/acme-dev/locations/us" in ran.err


def test_a_reviewed_plan_that_was_edited_is_none(cesplan: Run, service: EmbeddedEmulator, tree: Tree) -> None:
    _plan(cesplan, "plan.json")
    text = Path("plan.json").read_text(encoding="utf-8")
    Path("edited.json").write_text(text.replace("Greet the caller", "Insult the caller"), encoding="utf-8")
    assert cesplan("ci", "compare", "plan.json", "edited.json").code == 7


def test_a_text_in_parts(cesplan: Run, tree: Tree) -> None:
    """Numbered from one in a new folder; what is there already is not touched."""
    Path("plan.txt").write_text("a line of the plan\n" * 200, encoding="utf-8")
    ran = cesplan("ci", "parts", "plan.txt", "--out", "parts", "--title", "prod", "--limit", "2000")
    assert (ran.code, ran.out) == (0, "4\n"), ran.err
    assert sorted(path.name for path in Path("parts").iterdir()) == [
        f"part-{number}.md" for number in (1, 2, 3, 4)
    ]
    assert (
        Path("parts/part-1.md").read_text(encoding="utf-8").startswith("#### <code>prod</code>, part 1 of 4\n")
    )
    ran = cesplan("ci", "parts", "plan.txt", "--out", "parts")
    assert ran.code == 64
    assert "File exists" in ran.err
