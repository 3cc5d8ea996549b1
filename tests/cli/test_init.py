"""`cesplan init` beside apps that exist, and the first plan after it."""

import json
from pathlib import Path

import pytest

from cesplan.emulator import EmbeddedEmulator
from cesplan.features.app_list.standing import EXAMPLE
from tests.cli.conftest import Run

PLACE = "projects/acme-dev/locations/us"
STAMP = {
    "cesplan-digest": "sha256:" + "0" * 64,
    "cesplan-tree": "their-tree",
    "cesplan-environment": "prod",
    "cesplan-commit": "c" * 40,
    "cesplan-app": f"{PLACE}/apps/their-shop",
}


@pytest.fixture
def desks(service: EmbeddedEmulator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> EmbeddedEmulator:
    """Two apps that somebody made in the console, and one of another tree; the current folder is empty."""
    service.seed({"name": f"{PLACE}/apps/0d9f2c1a", "displayName": "Support Desk"})
    service.seed({"name": f"{PLACE}/apps/7b1e22aa", "displayName": "Billing Bot"})
    service.seed({"name": f"{PLACE}/apps/their-shop", "displayName": "Their shop", "metadata": STAMP})
    monkeypatch.chdir(tmp_path)
    return service


def test_beside_apps_it_asks_for_pull(desks: EmbeddedEmulator, tmp_path: Path, cesplan: Run) -> None:
    """Nothing is written; apps that no tree has are listed, with the command that makes a tree of the first."""
    ran = cesplan("init", "agents", "--project", "acme-dev")
    assert (ran.code, ran.out) == (64, "")
    assert "Nothing was written: acme-dev/us has apps that no tree has applied." in ran.err
    assert "    Billing Bot  (7b1e22aa)\n      Support Desk  (0d9f2c1a)\n" in ran.err
    assert "Their shop" not in ran.err
    assert f"cesplan pull {PLACE}/apps/7b1e22aa --into agents" in ran.err
    assert "cesplan init agents --project acme-dev --location us --offline" in ran.err
    assert [*tmp_path.iterdir()] == []
    assert cesplan("pull", f"{PLACE}/apps/7b1e22aa", "--into", "agents").code == 0
    assert cesplan("-C", "agents", "plan", "--detailed-exitcode").code == 0
    assert {item.method for item in desks.journal.entries} == {"GET"}


def test_offline_it_asks_nobody(desks: EmbeddedEmulator, cesplan: Run) -> None:
    """The project is in cesplan.yaml either way."""
    ran = cesplan("init", "agents", "--project", "acme-dev", "--location", "eu", "--offline")
    assert ran.code == 0
    assert "Set your project" not in ran.out
    assert desks.journal.count == 0
    settings = json.loads(cesplan("-C", "agents", "render", "--format", "json").out)
    assert (settings["project"], settings["location"]) == ("acme-dev", "eu")
    plain = cesplan("init", "plain")
    assert "Set your project in cesplan.yaml." in plain.out
    assert "cesplan pull --project PROJECT --location us" in plain.out
    assert desks.journal.count == 0


def test_where_no_app_is_free_it_writes(service: EmbeddedEmulator, tmp_path: Path, cesplan: Run) -> None:
    """Apps of other trees are no reason to refuse: this may be one more tree in a shared project."""
    service.seed({"name": f"{PLACE}/apps/their-shop", "displayName": "Their shop", "metadata": STAMP})
    assert cesplan("init", str(tmp_path / "agents"), "--project", "acme-dev").code == 0
    assert (tmp_path / "agents/cesplan.yaml").read_text(encoding="utf-8").count("acme-dev") == 1


def test_a_service_that_cannot_be_asked_is_a_notice(
    tmp_path: Path, cesplan: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who has no credentials yet can start too."""
    monkeypatch.delenv("CES_EMULATOR_HOST", raising=False)
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(tmp_path / "none.json"))
    ran = cesplan("init", str(tmp_path / "agents"), "--project", "acme-dev")
    assert ran.code == 0
    assert "Notice: whether acme-dev/us has apps could not be checked: " in ran.err
    assert (tmp_path / "agents/cesplan.yaml").is_file()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--location", "eu"), "--location needs --project."),
        (("--offline",), "--offline needs --project."),
        (("--project", "a b: c"), "`a b: c` cannot be a project."),
        (("--project", "acme-dev", "--location", "../x"), "`../x` cannot be a location."),
    ],
)
def test_what_cannot_be_is_refused_first(
    tmp_path: Path, cesplan: Run, words: tuple[str, ...], said: str
) -> None:
    """Before anything is asked or written."""
    ran = cesplan("init", str(tmp_path / "agents"), *words)
    assert ran.code == 64
    assert said in ran.err
    assert not (tmp_path / "agents").exists()


def test_an_export_is_converted_instead(tmp_path: Path, cesplan: Run) -> None:
    """A tree inside of an export would be neither."""
    (tmp_path / "app.json").write_text("{}", encoding="utf-8")
    ran = cesplan("init", str(tmp_path))
    assert ran.code == 64
    assert f"cesplan convert {tmp_path} NEW-FOLDER" in ran.err
    assert [item.name for item in tmp_path.iterdir()] == ["app.json"]


def test_the_first_plan_names_apps_that_no_tree_has(desks: EmbeddedEmulator, cesplan: Run) -> None:
    """With the command that lists them, in text and JSON; once the tree is applied it says no more."""
    assert cesplan("init", ".", "--project", "acme-dev", "--offline").code == 0
    ran = cesplan("plan")
    said = (
        'acme-dev/us has 2 apps that no tree has applied, and none of this tree: "Billing Bot", '
        f'"Support Desk". `cesplan pull` writes a live app to files; {EXAMPLE} is the example of '
        "`cesplan init`: remove its folder if you do not need it"
    )
    assert said in " ".join(ran.out.split())
    assert "To choose a live app to pull into the tree:" in ran.out
    assert "  cesplan pull\n" in ran.out
    assert said in json.loads(cesplan("plan", "--format", "json").out)["notices"]
    requests = desks.journal.count
    assert cesplan("apply", "--auto-approve").code == 0
    assert "no tree has applied" not in cesplan("plan").text
    assert requests == 2  # one for each plan: nothing is read for the notice


def test_one_app_is_named_in_the_command(service: EmbeddedEmulator, tmp_path: Path, cesplan: Run) -> None:
    """To paste as it is."""
    service.seed({"name": f"{PLACE}/apps/0d9f2c1a", "displayName": "Support Desk"})
    folder = str(tmp_path)
    assert cesplan("init", folder, "--project", "acme-dev", "--offline").code == 0
    ran = cesplan("-C", folder, "plan")
    assert f"cesplan pull -C {folder} {PLACE}/apps/0d9f2c1a\n" in ran.out
    assert cesplan("-C", folder, "pull", f"{PLACE}/apps/0d9f2c1a").code == 0
