"""
`cesplan cron init`: what it writes, judged by the services' schemas, and its shell run against the emulator.
"""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import googleapiclient
import kubernetes_validate
import pytest
from jsonschema import Draft202012Validator
from ruamel.yaml import YAML

from cesplan.cli.running import run
from cesplan.features.pipelines.cron import Scheduler, write_schedule
from cesplan.workflow import start
from tests.alarm.servers import SECRET as WEBHOOK_SECRET
from tests.alarm.servers import Receiver, bucket, receiver
from tests.pipelines.conftest import Ran, Repository, safe_workflows, schema_kept, shells_judged
from tests.pipelines.fakes import INSTALLED
from tests.pipelines.hostile import COMMAND, plant
from tests.pipelines.reading import filled, read
from tests.pipelines.test_github import commands

SHARDS = (1, 3)
TREES = {
    "no environments": "variables: {crmKey: {secret: true}}\n",
    "three": "variables: {crmKey: {secret: true}}\nenvironments: {dev: {}, qa-1: {}, prod: {}}\n",
}


def new_tree(folder: Path, name: str) -> Path:
    start(folder)
    with (folder / "cesplan.yaml").open("a", encoding="utf-8") as file:
        file.write(TREES[name])
    return folder


@pytest.fixture(params=TREES)
def tree(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return new_tree(tmp_path, request.param)


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> dict[Scheduler, list[Path]]:
    """What is written for each tree and number of shards: nothing changes it."""
    found: dict[Scheduler, list[Path]] = {scheduler: [] for scheduler in Scheduler}
    for name in TREES:
        for shards in SHARDS:
            tree = new_tree(tmp_path_factory.mktemp(f"{name.replace(' ', '-')}-{shards}"), name)
            for scheduler, files in found.items():
                files += written(tree, scheduler, shards)
    return found


def documents(path: Path) -> list[Any]:
    return list(YAML(typ="safe", pure=True).load_all(path.read_text(encoding="utf-8")))


def written(tree: Path, scheduler: Scheduler, shards: int, **more: Any) -> list[Path]:
    made = write_schedule(scheduler, tree, shards=shards, **more)
    return [made.repository / path for path in made.files]


def test_the_schema_of_kubernetes_is_kept(everything: dict[Scheduler, list[Path]]) -> None:
    """
    Strictly: no field that it does not know. Indexed jobs, time zones and completions are there since 1.27.
    """
    assert len(everything[Scheduler.KUBERNETES]) == len(TREES) * len(SHARDS)
    for path in everything[Scheduler.KUBERNETES]:
        for document in documents(path):
            for version in ("1.27", "1.34"):
                kubernetes_validate.validate(document, version, strict=True)


def test_the_judge_of_kubernetes_is_awake(tree: Path) -> None:
    (path,) = written(tree, Scheduler.KUBERNETES, 1)
    cron = documents(path)[-1]
    cron["spec"]["scheduel"] = "* * * * *"
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(cron, "1.34", strict=True)


def cloud_run_schema() -> dict[str, Any]:
    """The schema of a job in the discovery document of the Cloud Run Admin API v1, with no other members."""
    folder = Path(googleapiclient.__file__).parent / "discovery_cache/documents"
    found = json.loads((folder / "run.v1.json").read_text(encoding="utf-8"))["schemas"]

    def closed(value: Any) -> Any:
        match value:
            case {"$ref": str(name)}:
                return {"$ref": f"#/$defs/{name}"}
            case {"type": "object", "properties": dict(properties)}:
                inner = {name: closed(item) for name, item in properties.items()}
                return {"type": "object", "properties": inner, "additionalProperties": False}
            case {"type": "object", "additionalProperties": item}:
                return {"type": "object", "additionalProperties": closed(item)}
            case {"type": "array", "items": item}:
                return {"type": "array", "items": closed(item)}
            case {"type": "string", "format": "int64"}:
                return {"type": "string", "pattern": "^[0-9]+$"}
            case {"type": str(kind), **rest}:
                return {"type": kind, **({"enum": rest["enum"]} if "enum" in rest else {})}
        return {}

    return {"$ref": "#/$defs/Job", "$defs": {name: closed(item) for name, item in found.items()}}


def test_the_schema_of_cloud_run_is_kept(everything: dict[Scheduler, list[Path]]) -> None:
    validator = Draft202012Validator(cloud_run_schema())
    jobs = [read(path) for path in everything[Scheduler.CLOUDRUN] if path.suffix == ".yaml"]
    assert len(jobs) == len(TREES) * len(SHARDS)
    for job in jobs:
        assert [error.message for error in validator.iter_errors(job)] == []
        job["spec"]["template"]["spec"]["tasks"] = 2
        assert [*validator.iter_errors(job)] != []


def test_workflows_keep_their_schema_and_are_safe_by_the_rules_of_zizmor(
    everything: dict[Scheduler, list[Path]],
) -> None:
    schema_kept("github-workflows", *everything[Scheduler.GITHUB])
    safe_workflows(*everything[Scheduler.GITHUB])


def scripts(path: Path) -> Iterator[str]:
    """Every shell in a file."""
    if path.suffix == ".sh":
        yield path.read_text(encoding="utf-8")
        return

    def walk(value: Any) -> Iterator[str]:
        match value:
            case {"name": _, "run": str(text)} | {"command": ["bash", "-c"], "args": [str(text)]}:
                yield text
            case dict():
                for item in value.values():
                    yield from walk(item)
            case list():
                for item in value:
                    yield from walk(item)

    for document in documents(path):
        yield from walk(document)


def test_shells_have_nothing_to_be_warned_of(everything: dict[Scheduler, list[Path]], tmp_path: Path) -> None:
    found = {path: [*scripts(path)] for files in everything.values() for path in files}
    assert [path for path, texts in found.items() if not texts] == []
    shells_judged(tmp_path, (text for texts in found.values() for text in texts))


def test_no_key_and_no_secret_is_in_the_files_and_every_image_is_named_by_digest(
    everything: dict[Scheduler, list[Path]],
) -> None:
    for path in (path for files in everything.values() for path in files):
        text = path.read_text(encoding="utf-8")
        assert not re.search("credentials_json|private_key|hooks.slack|Bearer", text)
        for image in re.findall(r"image: (.+)", text):
            assert "@sha256:" in image
        for action in re.findall(r"uses: (\S+)", text):
            assert re.search(r"@[0-9a-f]{40}$", action)


def test_the_pod_has_no_rights_that_it_does_not_need(tree: Path) -> None:
    (path,) = written(tree, Scheduler.KUBERNETES, 3)
    account, _, cron = documents(path)
    pod = cron["spec"]["jobTemplate"]["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    assert account["automountServiceAccountToken"] is False
    assert pod["automountServiceAccountToken"] is False
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    secret = {item["name"] for item in container["env"] if "secretKeyRef" in item.get("valueFrom", {})}
    assert secret == {"CESPLAN_NOTIFY", "GIT_TOKEN", "CESPLAN_SECRET_crmKey"}


def test_one_task_more_than_shards_joins_what_they_found(tree: Path) -> None:
    """Without shards there is one task, and nothing to join."""
    for shards, tasks in ((1, 1), (3, 4)):
        (path,) = written(tree, Scheduler.KUBERNETES, shards, force=True)
        job = documents(path)[-1]["spec"]["jobTemplate"]["spec"]
        assert (job["completions"], job["parallelism"], job["completionMode"]) == (tasks, tasks, "Indexed")
        path, _ = written(tree, Scheduler.CLOUDRUN, shards, force=True)
        assert read(path)["spec"]["template"]["spec"]["taskCount"] == tasks


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--schedule", "hourly"), "is not a valid schedule"),
        (("--schedule", '* * * * *"\n  - evil: x'), "is not a valid schedule"),
        (("--schedule", "* * * * * $(id)"), "is not a valid schedule"),
        (("--branch", "main; rm -rf /"), "is not a valid branch name"),
        (("--shards", "0"), "--shards"),
        (("--shards", "201"), "--shards"),
        (("-e", "prd"), "no environment `prd`"),
    ],
)
def test_what_would_stand_in_shells_is_checked(
    tree: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    said: str,
) -> None:
    monkeypatch.chdir(tree)
    assert run(["cron", "init", "kubernetes", *words]) == 64
    assert said in capsys.readouterr().err
    assert not (tree / "cesplan-drift.cronjob.yaml").exists()


def test_files_are_replaced_only_by_force_and_go_where_they_are_told(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tree)
    target = tree / "deploy/cesplan-drift.cronjob.yaml"
    words = ["cron", "init", "kubernetes", "--out", "deploy"]
    assert run(words) == 0
    target.write_text("mine", encoding="utf-8")
    assert run(words) == 64
    assert target.read_text(encoding="utf-8") == "mine"
    assert run([*words, "--force"]) == 0
    assert "kind: CronJob" in target.read_text(encoding="utf-8")
    capsys.readouterr()
    assert run([*words, "--force", "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [Path(name).name for name in document["files"]] == ["cesplan-drift.cronjob.yaml"]
    assert "kubectl create secret" in document["next"]


@pytest.fixture
def hook() -> Iterator[Receiver]:
    with receiver() as made:
        yield made


@pytest.fixture
def live(repository: Repository, tmp_path: Path) -> Repository:
    """Applied, committed, with the command in PATH as the image has it."""
    (tmp_path / "image").mkdir()
    (tmp_path / "image/cesplan").symlink_to(repository.fakes / INSTALLED)
    repository.path = f"{tmp_path / 'image'}{os.pathsep}{repository.path}"
    assert repository.cesplan("apply", "-e", "staging", "--auto-approve").code == 0
    return repository


def container_of(path: Path, scheduler: Scheduler) -> tuple[str, dict[str, str]]:
    """The script of a job, and the variables that the file gives it."""
    if scheduler is Scheduler.KUBERNETES:
        spec = documents(path)[-1]["spec"]["jobTemplate"]["spec"]["template"]["spec"]
    else:
        spec = read(path)["spec"]["template"]["spec"]["template"]["spec"]
    (container,) = spec["containers"]
    values = {item["name"]: item["value"] for item in container["env"] if "value" in item}
    return container["args"][0], values


Job = Callable[[], list[Ran]]


def job(live: Repository, scheduler: Scheduler, shards: int, environ: Mapping[str, str]) -> Job:
    """The job as the service runs it: all of its tasks at once."""
    made = write_schedule(scheduler, live.tree, environments=("staging",), shards=shards, force=True)
    script, given = container_of(made.repository / made.files[0], scheduler)
    shared = live.temporary / "shared"
    shared.mkdir(exist_ok=True)
    number = 0

    def task(index: int) -> "subprocess.Popen[str]":
        own = {
            Scheduler.KUBERNETES: {
                "INDEX": str(index), "JOB_COMPLETION_INDEX": str(index), "RUN": f"cesplan-drift-{number}",
            },
            Scheduler.CLOUDRUN: {
                "CLOUD_RUN_TASK_INDEX": str(index), "CLOUD_RUN_TASK_COUNT": str(shards + 1),
                "CLOUD_RUN_EXECUTION": f"cesplan-drift-{number}",
            },
        }[scheduler]  # fmt: skip
        values = {
            **given,
            "SHARED": str(shared),
            "TREE_REPOSITORY": f"file://{live.root}",
            "POLL_SECONDS": "0.1",
        }
        return subprocess.Popen(
            ["bash", "-c", script],
            cwd=live.temporary,
            env={
                "PATH": live.path,
                "HOME": str(live.temporary),
                "CES_EMULATOR_HOST": live.emulator.address,
                "CESPLAN_SECRET_crmKey": "s3cr3t-of-the-crm",
                **({"FAKES_COLD": "yes"} if live.is_cold else {}),
                **values,
                **own,
                **environ,
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )

    def ran() -> list[Ran]:
        nonlocal number
        number += 1
        tasks = [task(index) for index in range(shards + 1 if shards > 1 else 1)]
        outs = [process.communicate(timeout=120)[0] for process in tasks]
        return [Ran(code=process.returncode, out=out) for process, out in zip(tasks, outs, strict=True)]

    return ran


@pytest.mark.parametrize("shards", [1, 2])
def test_a_cronjob_tells_each_change_once(live: Repository, hook: Receiver, shards: int) -> None:
    """Quiet, drift, the same, gone; the state is in the volume, and what the tasks shared is gone."""
    state = live.temporary / "shared/state.json"
    environ = {"CESPLAN_NOTIFY": hook.url, "GIT_TOKEN": "t0ken", "STATE": str(state)}
    runs = job(live, Scheduler.KUBERNETES, shards, environ)
    logs = runs()
    live.edit_live("staging", "Be rude.")
    logs += [*runs(), *runs()]
    live.edit_live("staging", (live.tree / "apps/hello-shop/agents/greeter.md").read_text().rstrip("\n"))
    logs += runs()
    assert {ran.code for ran in logs} == {0}, [ran.out for ran in logs if ran.code]
    assert hook.occasions() == ["appeared", "gone"]
    assert [item.name for item in (live.temporary / "shared").iterdir() if item.is_dir()] == []
    texts = "".join(ran.out for ran in logs)
    assert [word for word in ("s3cr3t", "t0ken", WEBHOOK_SECRET) if word in texts] == []
    assert live.git("status", "--porcelain", "--untracked-files=no") == ""


def test_a_job_of_cloud_run_keeps_its_state_in_an_object(live: Repository, hook: Receiver) -> None:
    with bucket() as held:
        environ = {"CESPLAN_NOTIFY": hook.url, "GIT_TOKEN": "", "STORAGE_EMULATOR_HOST": held.host,
                   "STATE": "gs://acme-state/cesplan-drift.json"}  # fmt: skip
        runs = job(live, Scheduler.CLOUDRUN, 2, environ)
        live.edit_live("staging", "Be rude.")
        logs = [*runs(), *runs()]
        assert {ran.code for ran in logs} == {0}, [ran.out for ran in logs if ran.code]
        assert hook.occasions() == ["appeared"]
        assert list(held.objects) == ["acme-state/cesplan-drift.json"]


@pytest.mark.parametrize("shards", [1, 2])
def test_without_a_webhook_drift_is_a_failed_job(live: Repository, shards: int) -> None:
    """Else nobody would learn of it."""
    runs = job(live, Scheduler.KUBERNETES, shards, {})
    assert {ran.code for ran in runs()} == {0}
    live.edit_live("staging", "Be rude.")
    assert runs()[-1].code == 2


@pytest.mark.parametrize("shards", [1, 2])
def test_a_receiver_that_refuses_and_a_tree_with_errors_are_failed_jobs(
    live: Repository, hook: Receiver, shards: int
) -> None:
    """What was refused is told by the next run; and a tree with errors makes no drift go away."""
    state = str(live.temporary / "shared/state.json")
    runs = job(live, Scheduler.KUBERNETES, shards, {"CESPLAN_NOTIFY": hook.url, "STATE": state})
    live.edit_live("staging", "Be rude.")
    hook.answers = [404]
    assert runs()[-1].code == 1
    assert runs()[-1].code == 0
    assert hook.occasions() == ["appeared", "appeared"]
    (live.tree / "apps/hello-shop/app.yaml").write_text("displayname: wrong\n", encoding="utf-8")
    live.commit("a mistake")
    assert runs()[-1].code == 7
    assert hook.occasions() == ["appeared", "appeared"]


def test_the_git_token_reaches_git_and_no_command_line(live: Repository, tmp_path: Path) -> None:
    """As a credential helper gives it; the server that asks for it is the one that the file names."""
    write_schedule(Scheduler.KUBERNETES, live.tree, environments=("staging",), force=True)
    script, _ = container_of(live.root / "cesplan-drift.cronjob.yaml", Scheduler.KUBERNETES)
    (helper,) = re.findall(r"helper='(!f.*)'", script)
    done = subprocess.run(
        ["git", "-c", "credential.helper=", "-c", f"credential.helper={helper}", "credential", "fill"],
        input="protocol=https\nhost=git.example\n\n",
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "GIT_TOKEN": "t0ken"},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert "username=x-access-token\npassword=t0ken\n" in done.stdout


GCLOUD = """\
#!/bin/bash
printf '%s\\n' "$*" >> "$CALLS"
if [ "$1 $2" = "secrets create" ]; then cat >> "$CALLS"; fi
"""


def test_the_setup_of_cloud_run_asks_for_secrets_and_grants_little(live: Repository, tmp_path: Path) -> None:
    write_schedule(
        Scheduler.CLOUDRUN, live.tree, environments=("staging",), schedule="*/30 * * * *", force=True
    )
    (tmp_path / "bin/gcloud").unlink()
    (tmp_path / "bin/gcloud").write_text(GCLOUD, encoding="utf-8")
    (tmp_path / "bin/gcloud").chmod(0o755)
    calls = tmp_path / "calls"
    environ = {"PATH": live.path, "CALLS": str(calls), "PROJECT": "acme-ops", "REGION": "europe-west1"}
    words = ["bash", str(live.root / "cesplan-drift.setup.sh")]
    assert subprocess.run(words, env=environ, capture_output=True).returncode == 1
    assert not calls.exists()
    subprocess.run(
        words,
        env={**environ, "BUCKET": "acme-state"},
        input="https://hook\nt0ken\ns3cr3t\n",
        encoding="utf-8",
        check=True,
    )
    said = calls.read_text(encoding="utf-8").splitlines()
    made = [row for row in said if row.startswith("secrets create")]
    assert [row.split()[2] for row in made] == [
        "cesplan-drift-notify", "cesplan-drift-git-token", "CESPLAN_SECRET_crmKey",
    ]  # fmt: skip
    assert [said[said.index(row) + 1] for row in made] == ["https://hook", "t0ken", "s3cr3t"]
    assert set(re.findall(r"roles/\S+", "\n".join(said))) == {
        "roles/storage.objectUser", "roles/secretmanager.secretAccessor", "roles/run.invoker",
    }  # fmt: skip
    (scheduler,) = [row for row in said if row.startswith("scheduler jobs create")]
    assert "--schedule */30 * * * * --time-zone Etc/UTC" in scheduler
    assert "jobs/cesplan-drift:run" in scheduler


class Workflow:
    """The workflow as GitHub runs it; artifacts are those of the stand-in for `gh`."""

    def __init__(self, repository: Repository, shards: int, hook: Receiver, storage: str) -> None:
        write_schedule(Scheduler.GITHUB, repository.tree, environments=("staging",), shards=shards, force=True)
        self.repository = repository
        self.jobs = read(repository.root / ".github/workflows/cesplan-drift.yaml")["jobs"]
        self.number = 100
        self.environ = {"STORAGE_EMULATOR_HOST": storage}
        self.values = {
            "secrets.CESPLAN_NOTIFY": hook.url,
            "vars.CESPLAN_STATE": "gs://acme-state/drift.json",
            "vars.CESPLAN_PACKAGE": "cesplan",
            "vars.CESPLAN_REQUIREMENTS": "",
            "github.token": "t0ken",
            "secrets.CESPLAN_SECRET_CRMKEY": "s3cr3t-of-the-crm",
        }

    def run(self) -> tuple[list[Ran], list[Ran]]:
        """The steps of all checks, and those of the alarm."""
        self.number += 1
        shards = self.jobs["check"]["strategy"]["matrix"]["shard"]
        checks = [ran for shard in shards for ran in self._job("check", str(shard))]
        return checks, self._job("alarm", "")

    def _job(self, name: str, shard: str) -> list[Ran]:
        job = self.jobs[name]
        temporary = self.repository.temporary / f"runner-{self.number}-{name}-{shard}"
        temporary.mkdir()
        values = {**self.values, "matrix.shard": shard, "runner.temp": str(temporary)}
        found: list[Ran] = []
        for step in job["steps"]:
            if any(ran.code for ran in found):
                break
            if "actions/checkout" in step.get("uses", ""):
                (temporary / step["with"]["path"]).symlink_to(self.repository.root)
            if "upload-artifact" in step.get("uses", ""):
                words = step["with"]
                target = self.repository.world.artifact(self.number, filled(words["name"], values))
                shutil.copytree(filled(words["path"], values), target)
            if "run" in step:
                given = {**job.get("env", {}), **step.get("env", {})}
                environ = {key: filled(text, values) for key, text in given.items()}
                environ |= {
                    "RUNNER_TEMP": str(temporary), "GITHUB_WORKSPACE": str(temporary),
                    "GITHUB_RUN_ID": str(self.number), "GITHUB_REPOSITORY": "acme/desk",
                    "GITHUB_STEP_SUMMARY": str(temporary / "summary.md"), **self.environ,
                }  # fmt: skip
                found.append(self.repository.run(step["run"], environ, folder=temporary))
        return found


def test_a_workflow_checks_in_shards_and_tells_each_change_once(live: Repository, hook: Receiver) -> None:
    """The webhook is known to the job that tells, and to none that reads."""
    with bucket() as held:
        workflow = Workflow(live, 2, hook, held.host)
        logs = workflow.run()
        live.edit_live("staging", "Be rude. ::warning::x")
        logs += workflow.run()
        logs += workflow.run()
        ran = [step for job in logs for step in job]
        assert {step.code for step in ran} == {0}, [step.out for step in ran if step.code]
        assert hook.occasions() == ["appeared"]
        assert "acme-state/drift.json" in held.objects
    texts = "".join(step.out for step in ran)
    assert [word for word in ("s3cr3t", "t0ken", WEBHOOK_SECRET) if word in texts] == []
    assert "CESPLAN_NOTIFY" not in json.dumps(workflow.jobs["check"])
    assert "greeter" in (live.temporary / "runner-103-alarm-/summary.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("where", ["github", "kubernetes"])
def test_nothing_in_a_checkout_runs(live: Repository, hook: Receiver, where: str) -> None:
    """The default branch has it all: modules, programs, settings, hooks and links."""
    hostile = plant(live)
    live.edit_live("staging", f"Be rude.\n{COMMAND}")
    if where == "github":
        with bucket() as held:
            ran = [step for job in Workflow(live, 2, hook, held.host).run() for step in job]
    else:
        state = str(live.temporary / "shared/state.json")
        ran = job(live, Scheduler.KUBERNETES, 2, {"CESPLAN_NOTIFY": hook.url, "STATE": state})()
    assert {step.code for step in ran} == {0}, [step.out for step in ran if step.code]
    assert hook.occasions() == ["appeared"]
    hostile.check_nothing_happened([step.out for step in ran])
    if where == "github":
        assert [row for step in ran for row in commands(step.out) if COMMAND in row] == []
