"""What is written, judged by the services' schemas, linters of shells and Dockerfiles, and pre-commit."""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from cesplan.features.pipelines.files import PipelineService, write_pipeline
from cesplan.workflow import start
from tests.pipelines.conftest import BIN, judged, safe_workflows, schema_kept, shells_judged
from tests.pipelines.reading import read

ROOT = Path(__file__).parents[2]
SCHEMAS = {
    PipelineService.GITHUB: "github-workflows",
    PipelineService.GITLAB: "gitlab-ci",
    PipelineService.CLOUDBUILD: "cloudbuild",
}
_THREE = "environments: {dev: {}, qa-1: {}, prod: {}}\n"
TREES = {"no environments": "", "three": _THREE, "releases": _THREE, "a release": ""}
"""The last two have release files, of which dev leaves out one."""
RELEASES = {
    "apps/hello-shop/releases/web.yaml": "deployment: web-chat\n",
    "environments/dev/apps/hello-shop/releases/web.yaml": "$exclude: true\n",
    "environments/prod/apps/hello-shop/releases/phone.yaml": "deployment: phone-line\n",
}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[PipelineService, list[Path]]:
    """The pipelines of all trees: nothing changes them."""
    found: dict[PipelineService, list[Path]] = {service: [] for service in PipelineService}
    for name, more in TREES.items():
        tree = tmp_path_factory.mktemp(name.replace(" ", "-"))
        start(tree)
        with (tree / "cesplan.yaml").open("a", encoding="utf-8") as file:
            file.write(f"variables: {{crmKey: {{secret: true}}}}\n{more}")
        if "release" in name:
            for path, text in RELEASES.items():
                (tree / path).parent.mkdir(parents=True)
                (tree / path).write_text(text, encoding="utf-8")
        for service, files in found.items():
            files += [tree / path for path in write_pipeline(service, tree).files]
    return found


@pytest.mark.parametrize("service", PipelineService)
def test_the_schema_of_the_service_is_kept(
    written: dict[PipelineService, list[Path]], service: PipelineService
) -> None:
    """As check-jsonschema has it from the public catalogue of schemas."""
    assert len(written[service]) >= len(TREES)
    schema_kept(SCHEMAS[service], *written[service])


@pytest.mark.parametrize("service", PipelineService)
def test_the_schemas_judge(
    written: dict[PipelineService, list[Path]], tmp_path: Path, service: PipelineService
) -> None:
    """The judge is awake: it minds one job, or one list of steps, that is a number."""
    value = read(written[service][0])
    value[
        {
            PipelineService.GITHUB: "jobs",
            PipelineService.GITLAB: "cesplan plan",
            PipelineService.CLOUDBUILD: "steps",
        }[service]
    ] = 1
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps(value), encoding="utf-8")
    with pytest.raises(AssertionError, match=r"bad\.json"):
        schema_kept(SCHEMAS[service], *written[service], bad)


def test_shells_have_nothing_to_be_warned_of(
    written: dict[PipelineService, list[Path]], tmp_path: Path
) -> None:
    """shellcheck reads each script as the shell that runs it does."""
    found = {path: [*_scripts(read(path))] for files in written.values() for path in files}
    assert [path for path, texts in found.items() if not texts] == []
    shells_judged(tmp_path, (text for texts in found.values() for text in texts))


def test_shellcheck_judges(tmp_path: Path) -> None:
    """The judge is awake: it minds a word that is split."""
    with pytest.raises(AssertionError, match="SC2086"):
        shells_judged(tmp_path, ["true\n", "cd $RUNNER_TEMP || exit\n"])


def test_workflows_are_safe_by_the_rules_of_zizmor(written: dict[PipelineService, list[Path]]) -> None:
    """Least permissions, actions named by commit, no text of others in a shell, no credentials left behind."""
    safe_workflows(*written[PipelineService.GITHUB])


def test_zizmor_judges(written: dict[PipelineService, list[Path]], tmp_path: Path) -> None:
    """The judge is awake: it minds an action that is named by a tag."""
    workflow = tmp_path / ".github/workflows/cesplan.yaml"
    workflow.parent.mkdir(parents=True)
    text = written[PipelineService.GITHUB][0].read_text(encoding="utf-8")
    workflow.write_text(re.sub(r"(actions/checkout)@\w+", r"\1@v5", text), encoding="utf-8")
    with pytest.raises(AssertionError, match="unpinned"):
        safe_workflows(workflow)


def _scripts(value: object) -> Iterator[str]:
    """Every shell of a pipeline; that of a GitLab job comes after what all jobs begin with."""
    match value:
        case {
            ".cesplan": {"before_script": before},
            "cesplan plan": plan,
            "cesplan review": review,
            ".cesplan apply": apply,
        }:
            jobs = [plan, review, apply, *([value["cesplan release"]] if "cesplan release" in value else [])]
            yield from ("\n".join(map(str, [*before, *job["script"]])) for job in jobs)
        case {"script": str(text)} | {"name": _, "run": str(text)}:
            yield text
        case dict():
            for item in value.values():
                yield from _scripts(item)
        case list():
            for item in value:
                yield from _scripts(item)


def test_no_key_of_an_account_is_asked_for(written: dict[PipelineService, list[Path]]) -> None:
    """GitHub and GitLab federate, Cloud Build runs as an account."""
    for path in (path for files in written.values() for path in files):
        text = path.read_text(encoding="utf-8")
        assert ("credentials_json" in text, "private_key" in text) == (False, False), path
    for path in written[PipelineService.GITHUB]:
        if path.name == "cesplan.yaml":
            jobs = read(path)["jobs"]
            federated = {name for name, job in jobs.items() if job["permissions"].get("id-token") == "write"}
            assert federated == {name for name in jobs if name not in ("comment", "review")}


def test_github_applies_in_order_with_approval_and_one_at_a_time(tmp_path: Path) -> None:
    """Each environment waits for the one before; a running apply is never cut off."""
    start(tmp_path)
    with (tmp_path / "cesplan.yaml").open("a", encoding="utf-8") as file:
        file.write(TREES["three"])
    write_pipeline(PipelineService.GITHUB, tmp_path, environments=("qa-1", "prod"), branch="release/1")
    jobs = read(tmp_path / ".github/workflows/cesplan.yaml")["jobs"]
    assert list(jobs) == ["plan", "comment", "review", "apply-qa-1", "apply-prod"]
    assert jobs["apply-qa-1"]["needs"] == ["review"]
    assert jobs["apply-prod"]["needs"] == ["review", "apply-qa-1"]
    assert jobs["apply-prod"]["environment"] == "prod"
    assert jobs["apply-prod"]["concurrency"] == {"group": "cesplan-apply-prod", "cancel-in-progress": False}
    assert jobs["plan"]["concurrency"]["cancel-in-progress"] is True


@pytest.mark.skipif(not (BIN / "hadolint").exists(), reason="hadolint has no wheel for this machine")
def test_the_dockerfile_has_nothing_to_be_warned_of() -> None:
    judged(BIN / "hadolint", ROOT / "Dockerfile")


def test_the_base_of_the_image_can_be_pinned_by_digest() -> None:
    """Every stage starts from the one argument that a build sets to `NAME@sha256:DIGEST`."""
    rows = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    assert "ARG PYTHON_IMAGE=python:3.12-slim" in rows
    starts = [row for row in rows if row.startswith("FROM ")]
    assert starts == ["FROM ${PYTHON_IMAGE} AS build", "FROM ${PYTHON_IMAGE}"]


def test_the_image_does_not_trust_every_folder() -> None:
    """Git in the image reads the mounted tree; a folder that someone else planted elsewhere stays refused."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert re.findall(r"safe\.directory (\S+)", text) == ["/tree"]


def test_the_image_has_all_that_it_copies() -> None:
    """Every path of a COPY is in the repository, and none is kept out by .dockerignore."""
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    rows = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    copied = [
        path for row in rows if row.startswith("COPY ") and "--from" not in row for path in row.split()[1:-1]
    ]
    assert copied
    assert [path for path in copied if not (ROOT / path).exists()] == []
    assert [path for path in copied if f"!{path}" not in ignored] == []


def test_pre_commit_takes_the_hook() -> None:
    judged(BIN / "pre-commit", "validate-manifest", ROOT / ".pre-commit-hooks.yaml")


def test_the_hook_runs_what_it_names(tmp_path: Path) -> None:
    """0 for a good tree, 7 for one with errors; it looks at changed files of trees alone."""
    (hook,) = read(ROOT / ".pre-commit-hooks.yaml")
    program, *words = hook["entry"].split()
    start(tmp_path)
    codes = []
    for text in ("displayName: Hello\n", "displayname: Hello\n"):
        (tmp_path / "apps/hello-shop/app.yaml").write_text(text, encoding="utf-8")
        codes.append(subprocess.run([BIN / program, *words], cwd=tmp_path, capture_output=True).returncode)
    assert codes == [0, 7]
    paths = ("apps/shop/agents/a.md", "voice/cesplan.yaml", "apps/shop/tools/t.py", "README.md", "src/apps.py")
    assert [path for path in paths if re.search(hook["files"], path)] == list(paths[:3])
