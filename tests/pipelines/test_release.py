"""The release job of the three services, run: start, step, status and abort."""

from collections.abc import Callable
from pathlib import Path

import pytest

from cesplan.features.pipelines.files import PipelineService, write_pipeline
from cesplan.features.pipelines.tree import pipeline_tree
from tests.pipelines import test_cloudbuild, test_gitlab
from tests.pipelines.conftest import Ran, Repository
from tests.pipelines.reading import read
from tests.pipelines.test_github import Runner

APP = "projects/acme-staging/locations/us/apps/hello-shop"
SHOP = "apps/hello-shop"
RELEASE = """\
deployment: web-chat
suites: {all: {evaluations: {all: true}}}
limits: {sessions: 10}
canary: [{percent: 5, hold: 1h}, {percent: 100}]
"""
FILES = {
    f"{SHOP}/evaluations/opening-hours.yaml": (
        "displayName: Hours\nscenario: {task: Ask when the shop opens.}\n"
    ),
    f"{SHOP}/versions/release-1.yaml": "displayName: Release 1\n",
    f"{SHOP}/deployments/web-chat.yaml": (
        "displayName: Web chat\nappVersion: release-1\nchannelProfile: {channelType: WEB_UI}\n"
    ),
    f"{SHOP}/releases/web.yaml": RELEASE,
}
Job = Callable[[Repository, str], Ran]


def _github(repository: Repository, action: str) -> Ran:
    runner = Runner(repository, "workflow_dispatch", 900)
    runner.workflow = read(repository.root / ".github/workflows/cesplan-release.yaml")
    runner.values["inputs.action || 'step'"] = action
    runner.run_id = f"{action}-{len(list(repository.temporary.iterdir()))}"  # type: ignore[assignment]
    done = runner.job("release", name="staging")
    return done["Release"]


def _gitlab(repository: Repository, action: str) -> Ran:
    return test_gitlab._job(repository, "cesplan release", "staging", "push", 900, ACTION=action)


def _cloudbuild(repository: Repository, action: str) -> Ran:
    requirements = repository.world.object(test_cloudbuild.REQUIREMENTS)
    requirements.parent.mkdir(parents=True, exist_ok=True)
    requirements.write_text("cesplan==0 --hash=sha256:0\n", encoding="utf-8")
    ran = test_cloudbuild._build(repository, "release", "0" * 40, _NAME="staging", _ACTION=action)
    assert "verdict" in ran, ran
    return Ran(code=ran["verdict"].code, out=ran["release"].out)


JOBS: dict[PipelineService, Job] = {
    PipelineService.GITHUB: _github,
    PipelineService.GITLAB: _gitlab,
    PipelineService.CLOUDBUILD: _cloudbuild,
}


@pytest.fixture
def folder() -> str:
    return "."


@pytest.fixture
def repository(repository: Repository) -> Repository:
    """release-1 is served in staging, and release-2 is the candidate."""
    for path, text in FILES.items():
        _write(repository.tree / path, text)
    assert repository.cesplan("apply", "-e", "staging", "--auto-approve").code == 0
    repository.edit("Be kind. Be brief.")
    _write(repository.tree / SHOP / "versions/release-2.yaml", "displayName: Release 2\n")
    deployment = FILES[f"{SHOP}/deployments/web-chat.yaml"].replace("release-1", "release-2")
    _write(repository.tree / SHOP / "deployments/web-chat.yaml", deployment)
    assert repository.cesplan("apply", "-e", "staging", "--auto-approve").code == 0
    return repository


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _share(repository: Repository) -> int:
    """The percentage of the candidate in staging."""
    body = repository._live("staging", "/deployments/web-chat")
    split = body.get("experimentConfig", {}).get("versionRelease", {}).get("trafficAllocations", [])
    shares = {item["appVersion"].rpartition("/")[2]: item["trafficPercentage"] for item in split}
    return int(shares.get("release-2", 100 if body["appVersion"].endswith("release-2") else 0))


@pytest.mark.parametrize("service", PipelineService)
def test_the_release_job_moves_the_traffic_and_says_how_it_ended(
    repository: Repository, service: PipelineService
) -> None:
    """A failed gate fails the job; a passed one moves 5%; a step that holds is no failure; abort goes back."""
    write_pipeline(service, repository.tree, environments=("staging",))
    repository.commit("the pipeline")
    job = JOBS[service]
    repository.emulator.play({"evaluation": "*", "outcome": "PASS"})
    started = job(repository, "start")
    assert (started.code, _share(repository)) == (0, 5), started.out
    (page,) = repository.world.folder.rglob("hello-shop--web.html")  # kept by the service
    assert "Release web, start" in page.read_text(encoding="utf-8")
    held = job(repository, "step")
    assert (held.code, _share(repository)) == (0, 5), held.out
    assert job(repository, "status").code == 0
    aborted = job(repository, "abort")
    assert (aborted.code, _share(repository)) == (0, 0), aborted.out


def test_a_gate_that_fails_fails_the_job(repository: Repository) -> None:
    """With the exit code of the gate, and without a move."""
    write_pipeline(PipelineService.CLOUDBUILD, repository.tree, environments=("staging",))
    repository.commit("the pipeline")
    repository.emulator.play({"evaluation": "*", "outcome": "FAIL"})
    ran = _cloudbuild(repository, "start")
    assert (ran.code, _share(repository)) == (5, 0), ran.out
    assert "The gate failed." in ran.out


def test_only_environments_with_releases_have_one(repository: Repository) -> None:
    """By the files of the tree: one may be left out by an environment, or be of one alone."""
    _write(repository.tree / "environments/prod" / SHOP / "releases/web.yaml", "$exclude: true\n")
    _write(repository.tree / "environments/staging" / SHOP / "releases/phone.yaml", RELEASE)
    _write(repository.tree / SHOP / "releases/odd name.yaml", RELEASE)
    _, tree = pipeline_tree(repository.tree, ())
    assert tree.releases == {"staging": ("hello-shop/phone", "hello-shop/web")}
    (repository.tree / SHOP / "releases/web.yaml").unlink()
    (repository.tree / "environments/staging" / SHOP / "releases/phone.yaml").unlink()
    _, tree = pipeline_tree(repository.tree, ())
    assert tree.releases == {}
