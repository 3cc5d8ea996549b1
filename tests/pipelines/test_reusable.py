"""The composite action and the component: judged by schemas and linters, and run step by step."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from cesplan.cli.running import run
from cesplan.features.pipelines.files import PipelineService, write_reusable
from tests.pipelines.conftest import Ran, Repository, safe_workflows, schema_kept, shells_judged
from tests.pipelines.hostile import COMMAND, plant
from tests.pipelines.reading import filled, read

ACTION = ".github/actions/cesplan/action.yml"
COMPONENT = "templates/cesplan.yml"
PACKAGE = "cesplan @ https://packages.example/cesplan.whl"
HOSTILE = "x\"; touch owned; echo '$(touch owned)`touch owned`"


def documents(path: Path) -> list[Any]:
    """The YAML documents of a file."""
    return list(YAML(typ="safe", pure=True).load_all(path.read_text(encoding="utf-8")))


class Action:
    """Runs the steps of the action, as a runner does: inputs fill expressions, and nothing else."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self.action = read(repository.root / ACTION)
        self.temporary = repository.temporary / "runner"
        self.temporary.mkdir()

    def __call__(self, **inputs: str) -> tuple[Ran, dict[str, str]]:
        given = {name: str(item.get("default", "")) for name, item in self.action["inputs"].items()}
        given |= {"package": PACKAGE, "tree": self.repository.folder}
        given |= {name.replace("_", "-"): text for name, text in inputs.items()}
        values = {f"inputs.{name}": text for name, text in given.items()}
        outputs = self.temporary / "outputs"
        outputs.unlink(missing_ok=True)
        ran = Ran(code=1, out="no step ran")
        for step in self.action["runs"]["steps"]:
            if "run" not in step:
                continue
            assert step["shell"] == "bash"
            assert "${{" not in step["run"]
            environ = {name: filled(text, values) for name, text in step["env"].items()}
            environ |= {
                "RUNNER_TEMP": str(self.temporary),
                "GITHUB_WORKSPACE": str(self.repository.root),
                "GITHUB_OUTPUT": str(outputs),
                "GITHUB_STEP_SUMMARY": str(self.temporary / "summary.md"),
            }
            ran = self.repository.run(step["run"], environ, folder=self.repository.root)
            if ran.code:
                break
        rows = outputs.read_text(encoding="utf-8").splitlines() if outputs.exists() else []
        return ran, dict(row.split("=", 1) for row in rows)


@pytest.fixture
def repository(repository: Repository) -> Repository:
    write_reusable(PipelineService.GITHUB, repository.tree)
    write_reusable(PipelineService.GITLAB, repository.tree)
    repository.commit("the building blocks")
    return repository


def test_the_schemas_and_linters_have_nothing_to_say(tmp_path: Path) -> None:
    """The schemas of both services, zizmor, and shellcheck for every script."""
    (tmp_path / ".git").mkdir()
    for service in (PipelineService.GITHUB, PipelineService.GITLAB):
        write_reusable(service, tmp_path)
    action = tmp_path / ACTION
    schema_kept("github-actions", action)
    safe_workflows(action)
    head, body = documents(tmp_path / COMPONENT)
    parts = [tmp_path / "head.json", tmp_path / "body.json"]
    for part, document in zip(parts, (head, body), strict=True):
        part.write_text(json.dumps(document), encoding="utf-8")
    schema_kept("gitlab-ci", *parts)
    scripts = [step["run"] for step in read(action)["runs"]["steps"] if "run" in step]
    (job,) = [item for name, item in body.items() if name.startswith("$[[")]
    scripts.append("\n".join([*job["before_script"], *job["script"]]))
    shells_judged(tmp_path, scripts)
    used = set(re.findall(r"inputs\.([a-z-]+)", (tmp_path / COMPONENT).read_text(encoding="utf-8")))
    assert used == set(head["spec"]["inputs"])
    assert all("$[[" not in text for text in scripts)


def test_the_action_plans_and_applies_exactly_that(repository: Repository) -> None:
    """Outputs of the plan are inputs of the apply; a second plan changes nothing."""
    action = Action(repository)
    ran, outputs = action(command="validate", environment="staging")
    assert (ran.code, outputs["exit-code"]) == (0, "0"), ran.out
    ran, outputs = action(command="plan", environment="staging")
    assert ran.code == 0, ran.out
    assert int(outputs["changes"]) >= 4
    plan = json.loads(Path(outputs["plan-file"]).read_text(encoding="utf-8"))
    assert outputs["checksum"] == plan["plan_digest"]
    assert "hello-shop" in Path(outputs["report"]).read_text(encoding="utf-8")
    assert "hello-shop" in (action.temporary / "summary.md").read_text(encoding="utf-8")
    ran, _ = action(command="apply", environment="staging", plan_file=outputs["plan-file"])
    assert ran.code == 0, ran.out
    assert repository.instruction("staging")
    ran, outputs = action(command="plan", environment="staging")
    assert outputs["changes"] == "0"
    repository.edit("Be kind.")
    repository.commit()
    ran, outputs = action(command="plan", environment="staging")
    stale, _ = action(command="apply", environment="staging", expect="sha256:" + "0" * 64)
    assert stale.code == 4
    ran, _ = action(command="apply", environment="staging", expect=outputs["checksum"])
    assert ran.code == 0, ran.out
    assert repository.instruction("staging") == "Be kind."
    repository.edit_live("staging", "Be mean.")
    ran, outputs = action(command="drift", environment="staging")
    assert (ran.code, outputs["exit-code"]) == (2, "2")
    assert "Be mean." in Path(outputs["report"]).read_text(encoding="utf-8")


def test_inputs_are_words_and_never_a_script(repository: Repository) -> None:
    """Whatever they hold; and what is missing or unknown is said."""
    action = Action(repository)
    for name in ("tree", "environment", "command", "expect", "plan_file"):
        ran, _ = action(**{"command": "apply" if name in ("expect", "plan_file") else "plan", name: HOSTILE})
        assert ran.code != 0, name
    assert not [*repository.temporary.rglob("owned")]
    ran, _ = action(command="apply")
    assert ran.code == 64
    assert "apply needs a plan file" in ran.out
    ran, _ = action(command="destroy")
    assert "The command must be validate, plan, apply, or drift." in ran.out
    (action.temporary / "cesplan/venv/bin/cesplan").unlink()
    ran, _ = action(package="")
    assert "Set the input requirements or package" in ran.out


def test_a_hostile_checkout_runs_nothing(repository: Repository) -> None:
    """What lies in the checkout is neither imported nor obeyed, and no line of the log is a command."""
    assert repository.cesplan("apply", "-e", "staging", "--auto-approve").code == 0
    repository.edit(f"Be kind.\n{COMMAND}")
    hostile = plant(repository)
    ran, _ = Action(repository)(command="plan", environment="staging")
    assert ran.code == 0, ran.out
    hostile.check_nothing_happened([ran.out])
    assert COMMAND in ran.out
    outside = re.sub(r"::stop-commands::(\w+)\n.*?::\1::", "", ran.out, flags=re.S)
    assert COMMAND not in outside


def test_the_component_runs_one_command(repository: Repository) -> None:
    """A plan with its facts, kept as an artifact; another exit code fails the job after it."""

    def job(**inputs: str) -> Ran:
        head, _ = documents(repository.root / COMPONENT)
        given = {name: str((item or {}).get("default", "")) for name, item in head["spec"]["inputs"].items()}
        given |= {"tree": repository.folder, "environment": "staging", **inputs}
        for name, item in head["spec"]["inputs"].items():
            assert re.search((item or {}).get("regex", ""), given[name])
        text = (repository.root / COMPONENT).read_text(encoding="utf-8").partition("\n---\n")[2]
        text = re.sub(r"\$\[\[ inputs\.([a-z-]+) \]\]", lambda found: given[found[1]], text)
        (body,) = YAML(typ="safe", pure=True).load(text).values()
        known = {
            "CESPLAN_PACKAGE": PACKAGE,
            "CESPLAN_WORKLOAD_IDENTITY_PROVIDER": "projects/1/providers/q",
            "CESPLAN_SERVICE_ACCOUNT": "reader@acme.example",
            "CESPLAN_ID_TOKEN": "id-token",
            "CI_PROJECT_DIR": str(repository.root),
            **body["variables"],
        }
        return repository.run(
            "\n".join([*body["before_script"], *body["script"]]), known, folder=repository.root
        )

    kept = repository.root / ".cesplan-job"
    ran = job(command="plan")
    assert ran.code == 0, ran.out
    facts = dict(row.split("=", 1) for row in (kept / "cesplan.env").read_text(encoding="utf-8").splitlines())
    assert facts["exit_code"] == "0"
    assert int(facts["changes"]) >= 4
    assert (kept / "report.md").is_file()
    (repository.root / "reviewed.json").write_bytes((kept / "plan.json").read_bytes())
    ran = job(command="apply", **{"plan-file": "reviewed.json"})
    assert ran.code == 0, ran.out
    repository.edit_live("staging", "Be mean.")
    assert job(command="drift").code == 2
    assert (kept / "cesplan.env").read_text(encoding="utf-8") == "exit_code=2\n"


def test_where_it_is_written_and_what_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Into the repository, without a tree; never over a file; not for Cloud Build, nor with an environment."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    assert run(["ci", "init", "github", "--reusable"]) == 0
    assert "uses: ./.github/actions/cesplan" in capsys.readouterr().out
    assert (tmp_path / ACTION).is_file()
    for words in (["github"], ["cloudbuild"], ["gitlab", "-e", "prod"]):
        assert run(["ci", "init", *words, "--reusable"]) == 64
    assert not (tmp_path / "templates").exists()
