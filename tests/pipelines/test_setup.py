"""The commands that `cesplan ci init` prints: right for the shell, complete, and with the least permissions."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from cesplan.cli.running import run
from cesplan.emulator import EmbeddedEmulator
from cesplan.features.pipelines.files import Pipeline, PipelineService, write_pipeline
from cesplan.features.pipelines.permissions import apply_accounts, reading_permissions, writing_permissions
from cesplan.workflow import start
from tests.pipelines.conftest import judged

EXAMPLE = Path(__file__).parents[2] / "examples/support-desk"
BIN = Path(sys.executable).parent
STAND_INS = """\
said() { printf '%s' "$1"; shift; printf ' %s' "$@"; echo; }
gcloud() {
  case "$*" in "projects describe "*) echo 4711 ;; *) said gcloud "$@" >> calls ;; esac
  cat > /dev/null
}
gh() { said gh "$@" >> calls; cat > /dev/null; }
exec < /dev/null
"""
TREES = {
    "none": "",
    "two": "variables: {crmKey: {secret: true}}\nenvironments: {dev: {}, prod: {project: acme-prod}}\n",
}


def pipeline_of(service: PipelineService, folder: Path, more: str) -> Pipeline:
    (folder / ".git").mkdir()
    start(folder)
    with (folder / "cesplan.yaml").open("a", encoding="utf-8") as file:
        file.write(more)
    return write_pipeline(service, folder, branch="main")


def commands_of(service: PipelineService, folder: Path, more: str) -> str:
    return pipeline_of(service, folder, more).commands


def called(folder: Path, commands: str) -> list[str]:
    """What the commands call, with stand-ins for gcloud and gh."""
    script = folder / "setup.sh"
    script.write_text(f"set -euo pipefail\n{STAND_INS}{commands}", encoding="utf-8")
    subprocess.run(["bash", script], cwd=folder, check=True, capture_output=True, timeout=30)
    return (folder / "calls").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("more", TREES.values(), ids=TREES)
@pytest.mark.parametrize("service", PipelineService)
def test_the_commands_are_a_script_that_runs(tmp_path: Path, service: PipelineService, more: str) -> None:
    """shellcheck has nothing to say of it, every word is filled in, and bash runs it to its end."""
    commands = commands_of(service, tmp_path, more)
    assert "@@" not in commands
    script = tmp_path / "checked.sh"
    script.write_text(f"#!/bin/bash\n{commands}", encoding="utf-8")
    judged(BIN / "shellcheck", script)
    calls = called(tmp_path, commands)
    names = ["dev", "prod"] if more else ["default"]
    made = [row for row in calls if row.startswith("gcloud iam service-accounts create")]
    assert [re.split(r" +", row)[4] for row in made] == [
        "cesplan-plan",
        *(f"cesplan-apply-{name}" for name in names),
    ]
    assert sum("iam roles create cesplanApply" in row for row in calls) == (2 if more else 1)
    assert not any("cesplan-plan@" in row and "cesplanApply" in row for row in calls)
    if more:
        (grant,) = [row for row in calls if "projects/acme-prod/roles/cesplanApply" in row]
        assert "serviceAccount:cesplan-apply-prod@PROJECT_ID.iam.gserviceaccount.com" in grant


def test_only_the_branch_becomes_an_account_that_writes(tmp_path: Path) -> None:
    """The account that reads is for all of the repository, those that write for one ref of it."""
    members = {
        PipelineService.GITHUB: "attribute.ref/refs/heads/main",
        PipelineService.GITLAB: "attribute.access/branch:true:main",
    }
    for service, member in members.items():
        folder = tmp_path / service
        folder.mkdir()
        calls = called(folder, commands_of(service, folder, TREES["two"]))
        federated = [row for row in calls if "roles/iam.workloadIdentityUser" in row]
        assert len(federated) == 3
        for row in federated:
            pool = f"workloadIdentityPools/cesplan-{service}/"
            assert row.endswith(pool + ("*" if "cesplan-plan@" in row else member)), row


def test_what_asks_for_a_value_is_apart_from_what_is_pasted(tmp_path: Path) -> None:
    """A prompt would take the next pasted line for the value; and no value is an argument."""
    lines = {PipelineService.GITHUB: 3, PipelineService.GITLAB: 0, PipelineService.CLOUDBUILD: 3}
    for service, number in lines.items():
        folder = tmp_path / service
        folder.mkdir()
        made = pipeline_of(service, folder, TREES["two"])
        assert "secret set" not in made.commands
        assert "read -r" not in made.commands
        assert len(made.interactive) == number
        script = tmp_path / "asking.sh"
        head = "#!/bin/bash\nREPOSITORY=x\nPROJECT=x\nexport REPOSITORY PROJECT\n"
        script.write_text(head + "\n".join(made.interactive), encoding="utf-8")
        judged(BIN / "shellcheck", script)
        names = [*(secret for secret in ("CRMKEY", "crmKey") if any(secret in row for row in made.interactive))]
        assert len(names) == bool(number)


def test_the_roles_hold_every_method_that_is_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A plan, an apply, drift and deletes of everything: reading needs cesplanPlan only."""
    with EmbeddedEmulator() as emulator:
        monkeypatch.setenv("CES_EMULATOR_HOST", emulator.address)
        monkeypatch.chdir(EXAMPLE)
        assert run(["plan"]) == 0
        assert run(["apply", "--auto-approve"]) == 0
        assert run(["drift"]) == 0
        read = {permission(item.rpc) for item in emulator.journal.entries if item.method == "GET"}
        written = {permission(item.rpc) for item in emulator.journal.entries if item.method != "GET"}
    capsys.readouterr()
    assert read - {"ces.operations.get"} <= {*reading_permissions()}
    assert written <= {*writing_permissions(releases=False)}
    assert {"ces.agents.create", "ces.appVersions.create", "ces.securitySettings.update"} <= written
    reading = {*reading_permissions()}
    assert all(item.endswith((".get", ".list")) for item in reading)
    assert "ces.apps.delete" not in {*reading, *writing_permissions(releases=True)}
    assert not any("conversations" in item for item in reading)


def permission(rpc: str) -> str:
    """The documented permission of a method: `ListAppVersions` needs `ces.appVersions.list`."""
    found = re.fullmatch(r"(List|Get|Create|Update|Delete)(\w+)", rpc)
    assert found, rpc
    verb, noun = found[1].lower(), f"{found[2][0].lower()}{found[2][1:]}"
    plural = noun if noun.endswith("s") else f"{noun}s"
    return f"ces.{plural}.{verb}"


def test_ids_of_accounts_are_what_the_service_takes() -> None:
    """6 to 30 characters, small letters, digits and hyphens; no two environments share one."""
    names = ["prod", "PROD", "eu_west_production_number_one", "eu_west_production_number_two", "x" * 60]
    found = apply_accounts(names)
    assert len({*found.values()}) == len(names)
    assert all(re.fullmatch(r"[a-z][a-z0-9-]{4,28}[a-z0-9]", item) for item in found.values())
