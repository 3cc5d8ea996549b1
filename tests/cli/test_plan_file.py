"""`plan --out`, `show` and `apply FILE`; checksums; targets."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from cesplan.emulator import EmbeddedEmulator
from cesplan.render.machine.plan_file import DIGEST, file_digest
from tests.cli.conftest import Run, Tree

_APP = "projects/acme-dev/locations/us/apps/help-desk"
_AGENT = f"{_APP}/agents/front-desk"
_SECRET = "hunter2-and-more"


def _writes(service: EmbeddedEmulator) -> int:
    return sum(entry.method != "GET" for entry in service.journal.entries)


def _applied(cesplan: Run, *more: str) -> None:
    ran = cesplan("apply", "--auto-approve", *more)
    assert ran.code == 0, ran.err


def _instruction(tree: Tree, text: str) -> None:
    tree.write("apps/help-desk/agents/front-desk.md", f"{text}\n")


def _edit(service: EmbeddedEmulator, name: str, **fields: object) -> None:
    """Someone's write in the console."""
    service.seed({**_body(service, name), "name": name, **fields})


def _body(service: EmbeddedEmulator, name: str) -> dict[str, Any]:
    parent, kind, _ = name.rsplit("/", 2)
    return next(row.body for row in service.store.children(parent, kind) if row.name == name)


_MADE_AT = re.compile(r'"at": "[^"]*",')
"""When a plan was made: two plans may fall on either side of a second."""


def test_show_is_what_plan_showed(service: EmbeddedEmulator, cesplan: Run, tree: Tree) -> None:
    """To the byte, in both formats; and neither asks for anything."""
    text = cesplan("plan", "--out", "plan.json")
    document = cesplan("plan", "--format", "json")
    before = service.journal.count
    assert cesplan("show", "plan.json").out == text.out
    shown = cesplan("show", "plan.json", "--format", "json").out
    assert _MADE_AT.sub("", shown) == _MADE_AT.sub("", document.out)
    assert service.journal.count == before
    assert "To apply exactly this:  cesplan apply plan.json" in text.out
    assert (Path("plan.json").stat().st_mode & 0o777, sorted(Path().glob(".plan*"))) == (0o600, [])


def test_a_plan_file_is_applied_without_its_tree(
    service: EmbeddedEmulator, cesplan: Run, tree: Tree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody is asked, and what was planned is what is sent."""
    cesplan("plan", "--out", "plan.json")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    tree.remove("cesplan.yaml")
    monkeypatch.chdir(elsewhere)
    ran = cesplan("apply", "../plan.json")
    assert (ran.code, _writes(service)) == (0, 6)
    assert "Applied: 4 created, 0 updated, 0 deleted" in ran.out
    assert "matches the tree" not in ran.out


def test_a_second_time_nothing_is_left_to_do(service: EmbeddedEmulator, cesplan: Run, tree: Tree) -> None:
    """A pipeline that is run again is not a failure."""
    cesplan("plan", "--out", "plan.json")
    assert cesplan("apply", "plan.json").code == 0
    before = _writes(service)
    ran = cesplan("apply", "plan.json")
    assert (ran.code, ran.out) == (0, "No changes. Everything in this plan is already live.\n")
    assert _writes(service) == before
    again = json.loads(cesplan("apply", "plan.json", "--format", "json").out)
    assert (again["exit_code"], again["outcomes"]) == (0, [])


def test_a_stale_plan_writes_nothing_and_shows_both_sides(
    service: EmbeddedEmulator, cesplan: Run, tree: Tree
) -> None:
    """Exit code 4; what the plan saw, what is live, what the plan would do, and what to type."""
    _applied(cesplan)
    _instruction(tree, "Be brief.")
    cesplan("plan", "--out", "plan.json")
    _edit(service, _AGENT, instruction="Somebody else's.")
    before = _writes(service)
    ran = cesplan("apply", "plan.json")
    assert (ran.code, _writes(service)) == (4, before)
    assert "Nothing was written: 1 of 1 change would no longer do what was reviewed." in ran.err
    assert "~ help-desk/agents/front-desk  changed after this plan was made" in ran.err.replace(
        "~ agents/", "~ help-desk/agents/"
    )
    seen, planned = ran.err.split("planned change:")
    assert "when planned → live now:" in seen
    assert "Somebody else's." in seen
    assert "Be brief." in planned
    assert "To see the new plan:                     cesplan plan" in ran.err
    document = json.loads(cesplan("apply", "plan.json", "--format", "json").out)
    (stale,) = document["stale"]
    assert (document["exit_code"], stale["movement"]) == (4, "changed")
    assert stale["live_changes"][0]["after"] == "Somebody else's."


def test_an_edit_beside_the_plan_lets_it_through(service: EmbeddedEmulator, cesplan: Run, tree: Tree) -> None:
    """And stays as it is."""
    _applied(cesplan)
    _instruction(tree, "Be brief.")
    cesplan("plan", "--out", "plan.json")
    _edit(service, _AGENT, description="Somebody else's.")
    ran = cesplan("apply", "plan.json")
    assert ran.code == 0
    assert "front-desk: changed since this plan was made; the planned change to it is the same." in ran.err
    body = _body(service, _AGENT)
    assert (body["instruction"], body["description"]) == ("Be brief.", "Somebody else's.")


def test_secrets_are_given_again(
    service: EmbeddedEmulator, cesplan: Run, tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file has none; without one nothing is written (7); then the whole text is made of it again."""
    tree.replace("cesplan.yaml", "environments:", "variables: {greeting: {secret: true}}\nenvironments:")
    tree.replace("apps/help-desk/app.yaml", "displayName", "description: 'Say ${greeting}, $5'\ndisplayName")
    planned = cesplan("plan", "--out", "plan.json", "--var", f"greeting={_SECRET}")
    assert planned.code == 0, planned.err
    assert _SECRET not in Path("plan.json").read_text(encoding="utf-8")
    missing = cesplan("apply", "plan.json")
    assert (missing.code, _writes(service)) == (7, 0)
    assert "CESPLAN_SECRET_greeting" in missing.err
    monkeypatch.setenv("CESPLAN_SECRET_greeting", _SECRET)
    ran = cesplan("apply", "plan.json", "--debug")
    assert ran.code == 0, ran.err
    assert _SECRET not in ran.out + ran.err
    assert _body(service, _APP)["description"] == f"Say {_SECRET}, $5"


def test_a_stale_plan_shows_no_secret(service: EmbeddedEmulator, cesplan: Run, tree: Tree) -> None:
    """Neither the one of the plan, nor one that live returns in clear."""
    tree.replace("cesplan.yaml", "environments:", "variables: {greeting: {secret: true}}\nenvironments:")
    tree.replace(
        "apps/help-desk/agents/front-desk.yaml", "displayName", "description: ${greeting}\ndisplayName"
    )
    given = ("--var", f"greeting={_SECRET}")
    _applied(cesplan, *given)
    _instruction(tree, "Be brief.")
    cesplan("plan", "--out", "plan.json", *given)
    _edit(service, _AGENT, instruction=f"Say {_SECRET}!")
    runs = [cesplan("apply", "plan.json", *given), cesplan("apply", "plan.json", *given, "--format", "json")]
    assert [ran.code for ran in runs] == [4, 4]
    assert _SECRET not in "".join(ran.out + ran.err for ran in runs)
    assert "(secret greeting)" in runs[0].err


def test_what_is_no_plan_file_is_refused(service: EmbeddedEmulator, cesplan: Run, tree: Tree) -> None:
    """7 for a file that was edited, is a mere report, of a newer format, or something else; 64 for none."""
    cesplan("plan", "--out", "plan.json")
    document = json.loads(Path("plan.json").read_text(encoding="utf-8"))
    files = {
        "edited.json": {**document, "refusals": ["none"]},
        "newer.json": {**document, "format_version": "2.0"},
        "other.json": {"resource": []},
    }
    for name, content in files.items():
        tree.write(name, json.dumps(content))
    tree.write("report.json", cesplan("plan", "--format", "json").out)
    tree.write("no.json", "displayName: x\n")
    said = {name: cesplan("apply", name) for name in (*files, "report.json", "no.json")}
    assert {name: ran.code for name, ran in said.items()} == dict.fromkeys(said, 7)
    assert "was edited after it was written" in said["edited.json"].err
    assert "format 2.0, which is unknown" in said["newer.json"].err
    assert "report of a plan" in said["report.json"].err
    assert cesplan("show", "edited.json").code == 7
    assert cesplan("apply", "missing.json").code == 64
    assert _writes(service) == 0


def test_a_newer_minor_format_is_read(service: EmbeddedEmulator, cesplan: Run, tree: Tree) -> None:
    """It only adds members, and they are covered by the digest too."""
    cesplan("plan", "--out", "plan.json")
    document = json.loads(Path("plan.json").read_text(encoding="utf-8"))
    newer = {**document, "format_version": "1.7", "estimated_joy": 11}
    tree.write("newer.json", json.dumps({**newer, DIGEST: file_digest(newer)}))
    assert cesplan("apply", "newer.json").code == 0


def test_a_plan_is_for_its_own_place(
    service: EmbeddedEmulator, cesplan: Run, tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another environment, endpoint, service, or project in the tree around it: 5, and nothing is written."""
    cesplan("plan", "-e", "prod", "--out", "plan.json")
    other = cesplan("apply", "plan.json", "-e", "dev")
    assert (other.code, "the environment `prod`, not for the environment `dev`" in other.err) == (5, True)
    assert cesplan("apply", "plan.json", "--endpoint", "regional").code == 5
    tree.replace("cesplan.yaml", "acme-prod", "acme-new")
    moved = cesplan("apply", "plan.json")
    assert (moved.code, "acme-new/us" in moved.err) == (5, True)
    tree.replace("cesplan.yaml", "acme-new", "acme-prod")
    monkeypatch.delenv("CES_EMULATOR_HOST")
    real = cesplan("apply", "plan.json")
    assert (real.code, "made with an emulator" in real.err) == (5, True)
    assert _writes(service) == 0


def test_a_refused_plan_is_refused_from_its_file_too(
    service: EmbeddedEmulator, cesplan: Run, tree: Tree
) -> None:
    """Flags that weaken the guard belong to the plan, which is what is reviewed."""
    _applied(cesplan)
    tree.remove("apps/help-desk/guardrails/no-cards.yaml")
    tree.replace("apps/help-desk/app.yaml", "guardrails: [no-cards]\n", "")
    cesplan("plan", "--out", "plan.json")
    assert cesplan("apply", "plan.json").code == 5
    assert cesplan("apply", "plan.json", "--allow-mass-delete").code == 64
    cesplan("plan", "--out", "plan.json", "--allow-mass-delete")
    assert cesplan("apply", "plan.json").code == 0


def test_a_checksum_stands_for_a_file(service: EmbeddedEmulator, cesplan: Run, tree: Tree) -> None:
    """The same plan goes on unasked; another one ends in 4."""
    ran = cesplan("plan", "--checksum")
    assert (ran.out.startswith("sha256:"), ran.out.count("\n")) == (True, 1)
    assert "Plan: 4 to create" in ran.err
    tree.replace("apps/help-desk/app.yaml", "0.5", "0.25")
    other = cesplan("apply", "--expect", ran.out.strip())
    assert (other.code, _writes(service)) == (4, 0)
    tree.replace("apps/help-desk/app.yaml", "0.25", "0.5")
    assert cesplan("apply", "--expect", ran.out.strip()).code == 0
    assert cesplan("plan", "--checksum", "--format", "json").code == 64


def test_a_checksum_covers_the_etags(service: EmbeddedEmulator, cesplan: Run, tree: Tree) -> None:
    """What moved since is another plan."""
    _applied(cesplan)
    _instruction(tree, "Be brief.")
    checksum = cesplan("plan", "--checksum").out
    assert cesplan("plan", "--checksum").out == checksum
    _edit(service, _AGENT, description="Somebody else's.", etag="another")
    assert cesplan("plan", "--checksum").out != checksum


def test_targets(service: EmbeddedEmulator, cesplan: Run, tree: Tree) -> None:
    """
    What is named, with what it depends on; the rest is reported, and the stamp gets only what was written.
    """
    _applied(cesplan)
    stamp = _body(service, _APP)["metadata"]
    _instruction(tree, "Be brief.")
    tree.replace("apps/help-desk/guardrails/no-cards.yaml", "No cards please.", "No.")
    ran = cesplan("plan", "--target", "guardrails/*", "--out", "plan.json")
    assert "Plan: 0 to create, 1 to update" in ran.out
    assert "Left out: 1 other change not selected: help-desk/agents/front-desk\n" in ran.out
    assert cesplan("apply", "plan.json").code == 0
    assert _without_partial(service) == (stamp, 1)
    nothing = cesplan("plan", "--exclude", "agents")
    assert "matches the tree" not in nothing.out
    rest = cesplan("apply", "--auto-approve", "--target", "help-desk/agents/front-*")
    assert "1 updated" in rest.out
    assert "matches the tree" in rest.out
    assert _without_partial(service) == (stamp, 2)
    assert cesplan("plan", "--target", "guardrials/*").code == 64


def _without_partial(service: EmbeddedEmulator) -> tuple[dict[str, str], int]:
    """The stamp, and how many digests of partial applies it has."""
    metadata = dict(_body(service, _APP)["metadata"])
    return metadata, len(metadata.pop("cesplan-partial").split())


def test_out_must_be_a_place_for_a_file(service: EmbeddedEmulator, cesplan: Run, tree: Tree) -> None:
    """64, and nothing half written is left behind."""
    assert cesplan("plan", "--out", "no/such/folder/plan.json").code == 64
    assert cesplan("plan", "--out", "apps").code == 64


def test_out_overwrites_no_file_of_the_tree(service: EmbeddedEmulator, cesplan: Run, tree: Tree) -> None:
    """A slip costs nothing; an older plan is replaced."""
    path = tree.root / "apps/help-desk/app.yaml"
    before = path.read_text(encoding="utf-8")
    ran = cesplan("plan", "--out", str(path))
    assert ran.code == 64
    assert "already exists and is not a plan file" in " ".join(ran.err.split())
    assert path.read_text(encoding="utf-8") == before
    assert [cesplan("plan", "--out", "plan.json").code for _ in range(2)] == [0, 0]


def test_help_names_the_ways(cesplan: Run) -> None:
    assert "--expect CHECKSUM" in cesplan("apply", "--help").out
    assert "  show" in cesplan("--help").out


def test_that_live_equals_the_tree_is_said_only_where_it_does(
    service: EmbeddedEmulator, cesplan: Run, tree: Tree
) -> None:
    """Not where live holds more than the tree, nor of a plan file, which knows only what is in it."""
    _applied(cesplan)
    assert "Live matches the tree." in cesplan("plan").out
    tree.remove("apps/help-desk/guardrails/no-cards.yaml")
    tree.replace("apps/help-desk/app.yaml", "guardrails: [no-cards]\n", "")
    more = cesplan("apply", "--auto-approve", "--no-prune")
    assert "Applied: 0 created, 1 updated, 0 deleted" in more.out
    assert "matches the tree" not in more.out
    same = cesplan("plan", "--no-prune")
    assert "No changes. " in same.out
    assert "matches the tree" not in same.out
    _instruction(tree, "Be brief.")
    cesplan("plan", "--out", "plan.json", "--no-prune")
    assert cesplan("apply", "plan.json").code == 0
    cesplan("apply", "plan.json", "--report", "text=again.txt")
    assert (
        Path("again.txt").read_text(encoding="utf-8")
        == "No changes. Everything in this plan is already live.\n"
    )


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("no-such-folder/plan.json", "No such file or directory"),
        ("cesplan.yaml/plan.json", "Not a directory"),
        ("apps", "is a directory"),
        ("cesplan.yaml", "already exists and is not a plan file"),
    ],
)
def test_a_path_at_which_no_file_can_be_is_refused_before_the_work(
    service: EmbeddedEmulator, cesplan: Run, tree: Tree, path: str, why: str
) -> None:
    """Planning may take minutes; what cannot be saved is said before the first request."""
    ran = cesplan("plan", "--out", path)
    assert (ran.code, why in ran.err, service.journal.count) == (64, True, 0)
