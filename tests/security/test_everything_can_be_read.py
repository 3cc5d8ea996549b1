"""
A pull request hides what it writes where a reviewer's view is cut.

The attacker puts the line that matters behind the part of a text that plans show, into a new resource of which
a plan shows the name alone, or into the middle of a long line. `--full` shows every character of it.
"""

import json

import pytest

from cesplan.emulator import EmbeddedEmulator
from tests.cli.conftest import Run, Tree

BAIT = "harmless\n" * 60
NEEDLE = "import os; os.system('take everything')"
LONG = "x" * 900


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_a_created_text_is_shown_to_its_last_line(
    tree: Tree, cesplan: Run, service: EmbeddedEmulator, form: str
) -> None:
    """Instructions, code, and every value of a new resource."""
    code = 'def lookup_order(order: str) -> dict:\n    """Find."""\n    # harmless\n'
    code += "    # harmless\n" * 60 + f'    note = "{NEEDLE}"\n    return {{}}\n'
    tree.write("apps/help-desk/tools/lookup-order.py", code)
    tree.write("apps/help-desk/agents/front-desk.md", f"{BAIT}{NEEDLE}\n")
    cesplan("plan", "--out", "plan.json")
    for command in (["show", "--full", "plan.json"], ["plan", "--full"]):
        shown = cesplan(*command, "--format", form).out
        assert shown.count("take everything") == 2
        assert shown.count("harmless") == 121
        assert "No cards please." in shown
        assert "more line" not in shown


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_an_update_is_shown_uncut(tree: Tree, cesplan: Run, service: EmbeddedEmulator, form: str) -> None:
    """The middle of a changed line, and more lines than a comment holds."""
    assert cesplan("apply", "--auto-approve").code == 0
    tree.write("apps/help-desk/agents/front-desk.md", f"{LONG}{NEEDLE}{LONG}\n" + "new\n" * 400 + "last\n")
    cesplan("plan", "--out", "plan.json")
    shown = cesplan("show", "--full", "plan.json", "--format", form).out
    assert f"+ {LONG}{NEEDLE}{LONG}\n" in shown
    assert shown.count("+ new\n") == 400
    assert "+ last\n" in shown
    assert "- - Greet the caller by name.\n" in shown


def test_a_delete_shows_what_is_lost(tree: Tree, cesplan: Run, service: EmbeddedEmulator) -> None:
    """Not the name alone: all that was live."""
    assert cesplan("apply", "--auto-approve").code == 0
    tree.remove("apps/help-desk/guardrails/no-cards.yaml")
    tree.replace("apps/help-desk/app.yaml", "guardrails: [no-cards]\n", "")
    shown = cesplan("plan", "--full", "--allow-mass-delete").out
    assert '- displayName: "No cards"\n' in shown
    assert '-     - "[0-9]{16}"\n' in shown
    assert '-       - text: "No cards please."\n' in shown


def test_full_shows_no_secret(
    tree: Tree, cesplan: Run, service: EmbeddedEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Secrets are the names of their variables, in whole texts too."""
    monkeypatch.setenv("CESPLAN_SECRET_crmKey", "s3cret-of-the-pipeline")
    tree.write("apps/help-desk/agents/front-desk.yaml", "displayName: Desk\ninstruction: 'Key ${crmKey}.'\n")
    for form in ("text", "markdown"):
        shown = cesplan("plan", "--full", "--format", form).out
        assert "s3cret-of-the-pipeline" not in shown
        assert "(secret crmKey)" in shown


class TestWhatIsCutIsSaid:
    """A view that leaves something out says how much, and which command shows the whole."""

    def test_of_values_that_are_created(self, tree: Tree, cesplan: Run, service: EmbeddedEmulator) -> None:
        for words, whole in (
            (["plan"], "cesplan plan --full"),
            (["plan", "--out", "plan.json"], "cesplan show --full plan.json"),
            (["show", "plan.json"], "cesplan show --full plan.json"),
            (["apply", "--auto-approve"], "cesplan plan --full"),
        ):
            shown = cesplan(*words).out
            assert "Shortened: 4 resources are not shown in full." in shown
            assert f"To see everything: {whole} " in " ".join(shown.split()) + " "

    def test_of_long_texts(self, tree: Tree, cesplan: Run, service: EmbeddedEmulator) -> None:
        """A changed line without its middle, and a text of which only the beginning is there."""
        assert cesplan("apply", "--auto-approve").code == 0
        tree.write("apps/help-desk/agents/front-desk.md", f"{LONG}{NEEDLE}{LONG}\nnew\n")
        assert "Shortened: 1 resource is not shown in full." in cesplan("plan").out
        tree.write("apps/help-desk/agents/front-desk.md", "new\n")
        assert "Shortened" not in cesplan("plan").out
        tree.replace(
            "apps/help-desk/app.yaml", "rootAgent", f"globalInstruction: {json.dumps(BAIT)}\nrootAgent"
        )
        assert "Shortened: 1 resource is not shown in full." in cesplan("plan").out

    def test_of_long_lists(self, tree: Tree, cesplan: Run, service: EmbeddedEmulator) -> None:
        assert cesplan("apply", "--auto-approve").code == 0
        for number in range(25):
            name = f"projects/acme-dev/locations/us/apps/help-desk/agents/stray-{number}"
            service.seed({"name": name, "displayName": f"Stray {number}"})
        shown = cesplan("plan", "--no-prune").out
        assert "… and 5 more" in shown
        assert "Shortened: 1 list is not shown in full." in shown
        assert "cesplan plan --no-prune --full" in shown
        assert "Shortened" not in cesplan("plan", "--no-prune", "--full").out

    def test_in_a_comment(self, tree: Tree, cesplan: Run, service: EmbeddedEmulator) -> None:
        cesplan("plan", "--out", "plan.json", "--report", "markdown=plan.md")
        text = (tree.root / "plan.md").read_text(encoding="utf-8")
        assert text.endswith("shortened here. Everything: `cesplan show --full plan.json`\n")

    def test_a_whole_report_cuts_no_list(self, tree: Tree, cesplan: Run, service: EmbeddedEmulator) -> None:
        assert cesplan("apply", "--auto-approve").code == 0
        for number in range(300):
            name = f"projects/acme-dev/locations/us/apps/help-desk/agents/stray-{number}-{'x' * 40}"
            service.seed({"name": name, "displayName": f"Stray {number}"})
        short = cesplan("plan", "--no-prune", "--format", "markdown").out
        whole = cesplan("plan", "--no-prune", "--format", "markdown", "--full").out
        assert (short.count("/agents/stray-"), whole.count("/agents/stray-")) == (20, 300)
        assert "- … and 280 more\n" in short
        assert "more" not in whole

    def test_of_what_a_pull_finds(self, tree: Tree, cesplan: Run, service: EmbeddedEmulator) -> None:
        """Files of which there are many, and fields of one file."""
        assert cesplan("apply", "--auto-approve").code == 0
        for number in range(40):
            name = f"projects/acme-dev/locations/us/apps/help-desk/agents/stray-{number}"
            service.seed({"name": name, "displayName": f"Stray {number}"})
        assert "  … and 10 more files (--format json has all)\n" in cesplan("pull", "help-desk").out
