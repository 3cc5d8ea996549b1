"""The pipeline of GitLab CI, run job by job."""

import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from email.message import Message
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from shutil import which
from tempfile import mkdtemp
from threading import Thread
from typing import Any

import pytest

from cesplan.features.pipelines.files import PipelineService, write_pipeline
from tests.pipelines.conftest import Ran, Repository, check_origins
from tests.pipelines.fakes import written_by
from tests.pipelines.hostile import plant
from tests.pipelines.reading import read

MARK = "<!-- cesplan:plan:staging -->"

PIPELINE, MERGED = 900, 901


def _extended(pipeline: Mapping[str, Any], name: str) -> dict[str, Any]:
    """A job with what it extends; mappings are merged."""
    job = dict(pipeline[name])
    below = _extended(pipeline, job["extends"]) if "extends" in job else {}
    merged = {**below, **job}
    merged["variables"] = {**below.get("variables", {}), **job.get("variables", {})}
    return merged


def _job(repository: Repository, name: str, own: str, source: str, pipeline: int, **more: str) -> Ran:
    """Run a job of a pipeline; its variables may name those of the project."""
    whole = read(repository.root / ".gitlab-ci.yml")
    job = _extended(whole, name)
    known = {
        "CESPLAN_WORKLOAD_IDENTITY_PROVIDER": "projects/1/locations/global/workloadIdentityPools/p/providers/q",
        "CESPLAN_PLAN_SERVICE_ACCOUNT": "reader@acme.example",
        "CESPLAN_APPLY_SERVICE_ACCOUNT": "writer@acme.example",
        "CESPLAN_GITLAB_TOKEN": "t0ken",
        "CESPLAN_PACKAGE": "cesplan @ https://packages.example/cesplan.whl",
        "CI_API_V4_URL": "https://gitlab.example/api/v4",
        "CI_PROJECT_ID": "42",
        "CI_PROJECT_DIR": str(repository.root),
        "CI_DEFAULT_BRANCH": "main",
        "CI_PIPELINE_SOURCE": source,
        "CI_PIPELINE_ID": str(pipeline),
        "CI_JOB_URL": "https://gitlab.example/job",
        "CI_COMMIT_SHA": repository.git("rev-parse", "HEAD"),
        "NAME": own,
        **more,
    }
    if "id_tokens" in job:
        known["CESPLAN_ID_TOKEN"] = "id-token"
    known |= {
        key: re.sub(r"\$(\w+)", lambda found: known[found[1]], str(text))
        for key, text in job["variables"].items()
    }
    if job["variables"].get("GIT_STRATEGY") == "empty":
        known["CI_PROJECT_DIR"] = str(_build_folder(repository, pipeline))
    else:
        depth = int(known.get("GIT_DEPTH", "20"))  # as many commits as the service takes by itself
        known["CI_PROJECT_DIR"] = str(repository.checkout(depth))
    script = "\n".join([*job["before_script"], *job["script"]])
    done = repository.run(script, known, folder=Path(known["CI_PROJECT_DIR"]))
    if "artifacts" in job and (not done.code or job["artifacts"].get("when") == "always"):
        paths = [path.replace("$NAME", own) for path in job["artifacts"]["paths"]]
        _keep(repository, pipeline, f"{name}: [{own}]", Path(known["CI_PROJECT_DIR"]), paths)
    return done


def _keep(repository: Repository, pipeline: int, name: str, folder: Path, paths: list[str]) -> None:
    jobs = repository.world.read()["jobs"]
    made = {"id": 5000 + len(jobs), "name": name, "pipeline": pipeline}
    for path in paths:
        shutil.copytree(folder / path, repository.world.artifact(made["id"], name) / path)
    repository.world.change(jobs=[*jobs, made])


def _build_folder(repository: Repository, pipeline: int) -> Path:
    """An empty folder for a job, with the artifacts of the stages before it in the same pipeline."""
    made = Path(mkdtemp(dir=repository.temporary))
    for job in repository.world.read()["jobs"]:
        if job["pipeline"] == pipeline:
            shutil.copytree(repository.world.artifact(job["id"], job["name"]), made, dirs_exist_ok=True)
    return made


@pytest.fixture
def folder() -> str:
    """At the top of the repository."""
    return "."


@pytest.fixture
def repository(repository: Repository) -> Repository:
    """With the pipeline and a first state live in its environments."""
    write_pipeline(PipelineService.GITLAB, repository.tree, environments=repository.environments)
    repository.commit("the pipeline")
    for environment in repository.environments:
        assert repository.cesplan("apply", "-e", environment, "--auto-approve").code == 0
    repository.edit("Be kind. Be brief.")
    repository.commit("Kinder")
    return repository


def _plan(repository: Repository, name: str = "staging", pipeline: int = PIPELINE, **more: str) -> Ran:
    own = {"CI_MERGE_REQUEST_IID": "7", **more}
    return _job(repository, "cesplan plan", name, "merge_request_event", pipeline, **own)


def _merge(repository: Repository, pipeline: int = PIPELINE, number: str = "7", target: str = "main") -> None:
    merged = repository.git("rev-parse", "HEAD")
    open_one = {"iid": 6, "state": "opened", "merge_commit_sha": None, "squash_commit_sha": None, "sha": merged}
    ours = {"iid": 7, "state": "merged", "merge_commit_sha": None, "squash_commit_sha": merged, "sha": "1" * 40}
    head = {"id": pipeline, "ref": f"refs/merge-requests/{number}/head"}
    pulls = [{**ours, "target_branch": target, "head_pipeline": head}, {**open_one, "target_branch": "main"}]
    repository.world.change(pulls=pulls)


def _branch(repository: Repository, source: str = "push", pipeline: int = MERGED) -> Ran:
    """The pipeline of the branch up to its review, which one that is run by hand does not have."""
    for name in repository.environments:
        ran = _job(repository, "cesplan plan", name, source, pipeline)
        assert ran.code == 0, ran.out
    return _job(repository, "cesplan review", "", "push", pipeline) if source == "push" else ran


def _apply(repository: Repository, name: str = "staging", source: str = "push", pipeline: int = MERGED) -> Ran:
    return _job(repository, f"cesplan apply {name}", name, source, pipeline)


@pytest.mark.parametrize("environments", [("staging", "prod")])
def test_a_merge_request_is_planned_and_what_was_planned_is_applied(repository: Repository) -> None:
    """
    Plan, note, merge, the same plan in staging and then in prod, and a plan that is empty.

    The stamp names the merge, a commit of the branch with the very tree that was applied: so it is found later,
    and not dirty.
    """
    for name in ("staging", "prod"):
        ran = _plan(repository, name)
        assert ran.code == 0, ran.out
    staging, prod = repository.world.bodies()
    assert staging.startswith("<!-- cesplan:plan:staging -->\n")
    assert prod.startswith("<!-- cesplan:plan:prod -->\n")
    assert "agents/greeter" in prod
    assert "(https://gitlab.example/job/artifacts/file/.cesplan-plan/prod/plan.txt)" in prod
    assert "(https://gitlab.example/job/artifacts/file/.cesplan-plan/prod/plan.html)" in prod
    merged = repository.commit("Merge")
    _merge(repository)
    ran = _branch(repository)
    assert ran.code == 0, ran.out
    for name in ("staging", "prod"):
        ran = _apply(repository, name)
        assert ran.code == 0, ran.out
        page = f".cesplan-apply/{name}/apply.html"
        assert f"To read in a browser: https://gitlab.example/job/artifacts/file/{page}" in ran.out
        (outcome,) = repository.world.folder.rglob(page)
        assert "Applied: 0 created, 1 updated" in outcome.read_text(encoding="utf-8")
        assert repository.instruction(name) == "Be kind. Be brief."
        assert repository.cesplan("plan", "-e", name, "--detailed-exitcode").code == 0
    stamp = repository.stamp("staging")  # that of prod is planned here beside the artifacts of staging
    assert (stamp["cesplan-commit"], "cesplan-dirty" in stamp) == (merged, False)


def test_live_edits_are_told_apart_from_commits_since_the_last_apply(repository: Repository) -> None:
    """The stamp names a commit of long ago, and the checkout has it."""
    repository.work_on(22)
    repository.rename_live("staging")
    ran = _plan(repository)
    assert ran.code == 0, ran.out
    check_origins(repository.world.bodies()[0])


def test_the_note_is_kept_up_to_date(repository: Repository) -> None:
    """Also behind the first page of notes, and when the plan fails; never one that someone else wrote."""
    chat = [{"id": number, **written_by("eve", 5), "body": f"{MARK}\nhm"} for number in range(3)]
    repository.world.change(comments=chat)
    assert _plan(repository).code == 0
    greeter = repository.tree / "apps/hello-shop/agents/greeter.yaml"
    text = greeter.read_text(encoding="utf-8")
    greeter.write_text("displayname: Oops\n", encoding="utf-8")
    assert _plan(repository, pipeline=PIPELINE - 1).code == 7
    assert repository.world.bodies()[3].startswith(f"{MARK}\n")
    assert len(repository.world.bodies()) == 4
    assert "**No plan for staging**" in repository.world.bodies()[3]
    greeter.write_text(text, encoding="utf-8")
    _merge(repository, PIPELINE - 1)
    ran = _branch(repository)
    assert (ran.code, "has no plan for staging" in ran.out) == (1, True), ran.out


def test_a_push_without_a_merge_request_is_not_applied(repository: Repository) -> None:
    """
    One to another branch is not a review, and neither is the pipeline of another one with the same commit.
    """
    ran = _branch(repository)
    assert (ran.code, "is not the merge of a merge request" in ran.out) == (1, True), ran.out
    _merge(repository, target="evil")
    ran = _job(repository, "cesplan review", "", "push", MERGED)
    assert (ran.code, "is not the merge of a merge request" in ran.out) == (1, True), ran.out
    assert _plan(repository).code == 0
    _merge(repository, number="77")
    ran = _job(repository, "cesplan review", "", "push", MERGED)
    assert (ran.code, "has no plan for staging" in ran.out) == (1, True), ran.out


def test_an_edit_after_the_review_is_not_overwritten_unseen(repository: Repository) -> None:
    """The plan of the branch is then another one: shown, and applied only where it is asked for by hand."""
    assert _plan(repository).code == 0
    _merge(repository)
    repository.edit_live("staging", "Mine.")
    ran = _branch(repository)
    assert (ran.code, "~ hello-shop/agents/greeter" in ran.out) == (4, True), ran.out
    assert _branch(repository, "web", MERGED + 1).code == 0
    assert _apply(repository, "staging", "web", MERGED + 1).code == 0
    assert repository.instruction("staging") == "Be kind. Be brief."


def test_a_stale_plan_writes_nothing(repository: Repository) -> None:
    """An edit while the apply waits for a person stays."""
    assert _plan(repository).code == 0
    _merge(repository)
    assert _branch(repository).code == 0
    repository.edit_live("staging", "Mine.")
    ran = _apply(repository)
    assert (ran.code, "Run a pipeline on this branch for a new plan" in ran.out) == (4, True), ran.out
    assert repository.instruction("staging") == "Mine."


def test_nothing_in_a_checkout_runs(repository: Repository) -> None:
    """In the plan of the merge request, in that of the branch, and where it is applied."""
    hostile = plant(repository)
    jobs = [_plan(repository)]
    assert [ran.out for ran in jobs if ran.code] == []
    _merge(repository)
    jobs += [_branch(repository), _apply(repository)]
    assert [ran.out for ran in jobs if ran.code] == []
    assert repository.instruction("staging") == "Be kind. Be brief."
    hostile.check_nothing_happened([ran.out for ran in jobs])


def test_the_federation_is_what_google_auth_reads(repository: Repository, tmp_path: Path) -> None:
    """The file that the job writes names the pool, the account and the job's own token, and holds no key."""
    from google.auth import load_credentials_from_file

    whole = read(repository.root / ".gitlab-ci.yml")
    script = "\n".join([*whole[".cesplan"]["before_script"], 'cp "$work/credentials.json" "$OUT"'])
    environ = {
        "CI_PROJECT_DIR": str(repository.root),
        "CI_API_V4_URL": "https://gitlab.example/api/v4",
        "CI_PROJECT_ID": "42",
        "CESPLAN_PACKAGE": "cesplan",
        "CESPLAN_ID_TOKEN": "id-token",
        "CESPLAN_WORKLOAD_IDENTITY_PROVIDER": "projects/1/locations/global/workloadIdentityPools/p/providers/q",
        "CESPLAN_SERVICE_ACCOUNT": "writer@acme.example",
        "OUT": str(tmp_path / "credentials.json"),
    }
    ran = repository.run(script, environ)
    assert ran.code == 0, ran.out
    found, _ = load_credentials_from_file(str(tmp_path / "credentials.json"))
    assert found.service_account_email == "writer@acme.example"
    assert found.retrieve_subject_token(None) == "id-token"


@pytest.mark.skipif(which("curl") is None, reason="needs curl")
def test_a_redirect_gets_no_token(repository: Repository) -> None:
    """The real curl, which sends a header of one's own to whichever host a redirect names."""
    with listening() as (elsewhere, leaked), listening(f"http://{elsewhere}/") as (address, asked):
        whole = read(repository.root / ".gitlab-ci.yml")
        functions = whole["cesplan plan"]["script"][0].replace('--proto "=https"', '--proto "=http"')
        script = f'work="$PWD"\n{functions}\ngitlab "http://{address}/x" --output answer'
        environ = {
            "CI_API_V4_URL": "",
            "CI_PROJECT_ID": "42",
            "CESPLAN_GITLAB_TOKEN": "t0ken",
            "PATH": "/usr/bin:/bin",
        }
        ran = repository.run(script, environ, folder=repository.temporary)
    assert (ran.code, leaked) == (47, []), ran.out  # 47: CURLE_TOO_MANY_REDIRECTS
    assert [headers["PRIVATE-TOKEN"] for headers in asked] == ["t0ken"]


@contextmanager
def listening(redirect: str = "") -> Iterator[tuple[str, list[Message]]]:
    """A server on this machine that redirects or says nothing: its address, and the headers that it got."""
    got: list[Message] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            got.append(self.headers)
            self.send_response(302 if redirect else 200)
            if redirect:
                self.send_header("Location", redirect)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"127.0.0.1:{server.server_port}", got
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize("environments", [("staging", "prod")])
def test_environments_come_in_order_and_one_at_a_time(repository: Repository) -> None:
    """Staging by itself, prod by a person; one apply of an environment at a time."""
    whole = read(repository.root / ".gitlab-ci.yml")
    assert whole["stages"] == ["plan", "review", "apply staging", "apply prod"]
    jobs = [whole[f"cesplan apply {name}"] for name in ("staging", "prod")]
    assert [job["rules"][-1]["when"] for job in jobs] == ["on_success", "manual"]
    assert [job["resource_group"] for job in jobs] == ["cesplan-staging", "cesplan-prod"]
    assert [job["environment"]["name"] for job in jobs] == ["staging", "prod"]
