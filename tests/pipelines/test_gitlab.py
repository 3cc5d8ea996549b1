"""The pipeline of GitLab CI, run job by job."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from cesplan.workflow.pipelining import Service, write_pipeline
from tests.pipelines.conftest import Ran, Repository
from tests.pipelines.fakes import written_by
from tests.pipelines.reading import read

MARK = "<!-- cesplan:plan:prod -->"

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
        "CESPLAN_ID_TOKEN": "id-token",
        "CI_API_V4_URL": "https://gitlab.example/api/v4",
        "CI_PROJECT_ID": "42",
        "CI_PROJECT_DIR": str(repository.root),
        "CI_PIPELINE_SOURCE": source,
        "CI_PIPELINE_ID": str(pipeline),
        "CI_JOB_URL": "https://gitlab.example/job",
        "CI_COMMIT_SHA": repository.git("rev-parse", "HEAD"),
        "NAME": own,
        **more,
    }
    given = {**whole["variables"], **job["variables"]}
    known |= {key: re.sub(r"\$(\w+)", lambda found: known[found[1]], str(text)) for key, text in given.items()}
    script = "\n".join([*job["before_script"], *job["script"]])
    done = repository.run(script, known, folder=repository.root)
    if not done.code and "artifacts" in job:
        _keep(repository, pipeline, f"{name}: [{own}]", job["artifacts"]["paths"])
    return done


def _keep(repository: Repository, pipeline: int, name: str, paths: list[str]) -> None:
    jobs = repository.world.read()["jobs"]
    made = {"id": 5000 + len(jobs), "name": name, "pipeline": pipeline}
    for path in paths:
        target = repository.world.artifact(made["id"], name) / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((repository.root / path).read_bytes())
    repository.world.change(jobs=[*jobs, made])


@pytest.fixture
def folder() -> str:
    """At the top of the repository."""
    return "."


@pytest.fixture
def repository(repository: Repository) -> Repository:
    """With the pipeline and a first state live in both environments."""
    write_pipeline(Service.GITLAB, repository.tree)
    repository.commit("the pipeline")
    for environment in ("staging", "prod"):
        assert repository.cesplan("apply", "-e", environment, "--auto-approve").code == 0
    repository.edit("Be kind. Be brief.")
    repository.commit("Kinder")
    return repository


def _plan(repository: Repository, name: str, pipeline: int = PIPELINE) -> Ran:
    return _job(repository, "cesplan plan", name, "merge_request_event", pipeline, CI_MERGE_REQUEST_IID="7")


def _merge(repository: Repository, pipeline: int = PIPELINE) -> None:
    merged = repository.git("rev-parse", "HEAD")
    open_one = {"iid": 6, "state": "opened", "merge_commit_sha": None, "squash_commit_sha": None, "sha": merged}
    ours = {"iid": 7, "state": "merged", "merge_commit_sha": None, "squash_commit_sha": merged, "sha": "1" * 40}
    repository.world.change(pulls=[{**ours, "head_pipeline": {"id": pipeline}}, open_one])


def test_a_merge_request_is_planned_and_what_was_planned_is_applied(repository: Repository) -> None:
    """Plan, note, merge, the same plan in staging and then in prod, and a plan that is empty."""
    for name in ("staging", "prod"):
        ran = _plan(repository, name)
        assert ran.code == 0, ran.out
    staging, prod = repository.world.bodies()
    assert staging.startswith("<!-- cesplan:plan:staging -->\n")
    assert prod.startswith("<!-- cesplan:plan:prod -->\n")
    assert "agents/greeter" in prod
    assert repository.git("status", "--porcelain") == ""
    _merge(repository)
    for name in ("staging", "prod"):
        ran = _job(repository, f"cesplan apply {name}", name, "push", MERGED)
        assert ran.code == 0, ran.out
        assert repository.instruction(name) == "Be kind. Be brief."
        assert repository.cesplan("plan", "-e", name, "--detailed-exitcode").code == 0


def test_the_note_is_kept_up_to_date(repository: Repository) -> None:
    """Also behind the first page of notes, and when the plan fails; never one that somebody else wrote."""
    chat = [{"id": number, **written_by("eve", 5), "body": f"{MARK}\nhm"} for number in range(3)]
    repository.world.change(comments=chat)
    assert _plan(repository, "prod").code == 0
    (repository.tree / "apps/hello-shop/app.yaml").write_text("displayname: Oops\n", encoding="utf-8")
    assert _plan(repository, "prod", PIPELINE + 1).code == 7
    assert repository.world.bodies()[3].startswith(f"{MARK}\n")
    assert len(repository.world.bodies()) == 4
    assert "**No plan for prod**" in repository.world.bodies()[3]
    _merge(repository, PIPELINE + 1)
    ran = _job(repository, "cesplan apply prod", "prod", "push", MERGED)
    assert ran.code == 1
    assert "has no plan for prod" in ran.out


def test_a_push_without_a_merge_request_is_not_applied(repository: Repository) -> None:
    ran = _job(repository, "cesplan apply staging", "staging", "push", MERGED)
    assert ran.code == 1
    assert "is not the merge of a merge request" in ran.out


def test_a_stale_plan_writes_nothing_and_a_new_one_can_be_asked_for(repository: Repository) -> None:
    """A pipeline that is run by hand plans the branch anew."""
    assert _plan(repository, "staging").code == 0
    _merge(repository)
    edit = {"body": {"instruction": "Mine."}, "author": "bob@acme.example"}
    repository.emulator.break_with({"method": "GetAgent", "edit": edit})
    ran = _job(repository, "cesplan apply staging", "staging", "push", MERGED)
    assert ran.code == 4, ran.out
    assert repository.instruction("staging") == "Mine."
    assert _job(repository, "cesplan plan", "staging", "web", MERGED + 1).code == 0
    assert _job(repository, "cesplan apply staging", "staging", "web", MERGED + 1).code == 0
    assert repository.instruction("staging") == "Be kind. Be brief."


def test_the_federation_is_what_google_auth_reads(repository: Repository, tmp_path: Path) -> None:
    """The file that the job writes names the pool, the account and the job's own token, and holds no key."""
    from google.auth import load_credentials_from_file

    whole = read(repository.root / ".gitlab-ci.yml")
    script = "\n".join([*whole[".cesplan"]["before_script"], 'cp "$credentials/credentials.json" "$OUT"'])
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


def test_environments_come_in_order_and_one_at_a_time(repository: Repository) -> None:
    """Staging by itself, prod by a person; one apply of an environment at a time."""
    whole = read(repository.root / ".gitlab-ci.yml")
    assert whole["stages"] == ["plan", "apply staging", "apply prod"]
    jobs = [whole[f"cesplan apply {name}"] for name in ("staging", "prod")]
    assert [job["rules"][-1]["when"] for job in jobs] == ["on_success", "manual"]
    assert [job["resource_group"] for job in jobs] == ["cesplan-staging", "cesplan-prod"]
    assert [job["environment"]["name"] for job in jobs] == ["staging", "prod"]


def test_the_stamp_names_the_commit_that_was_reviewed(repository: Repository) -> None:
    """Where merged results are tested, the checkout is a merge that nobody will ever see again."""
    head = repository.git("rev-parse", "HEAD")
    repository.commit("Merged result")
    seen = {"CI_MERGE_REQUEST_IID": "7", "CI_MERGE_REQUEST_SOURCE_BRANCH_SHA": head}
    assert _job(repository, "cesplan plan", "prod", "merge_request_event", PIPELINE, **seen).code == 0
    _merge(repository)
    assert _job(repository, "cesplan apply prod", "prod", "push", MERGED).code == 0
    stamp = repository.stamp("prod")
    assert (stamp["cesplan-commit"], "cesplan-dirty" in stamp) == (head, False)
