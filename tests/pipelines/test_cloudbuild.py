"""The builds of Cloud Build, run step by step."""

import json
from hashlib import sha256
from pathlib import Path
from tempfile import mkdtemp

import pytest

from cesplan.features.pipelines.files import PipelineService, write_pipeline
from tests.pipelines.conftest import Ran, Repository, check_origins
from tests.pipelines.fakes import written_by
from tests.pipelines.hostile import plant
from tests.pipelines.reading import read

MARK = "<!-- cesplan:plan:staging -->"
REQUIREMENTS = "gs://bucket-of-ours/requirements.txt"


def _build(
    repository: Repository, name: str, commit: str, source: Path | None = None, **more: str
) -> dict[str, Ran]:
    """Run the steps of a build until one fails, each by the shell that its first line names."""
    source = source or repository.root
    build = read(repository.root / f"cloudbuild.cesplan-{name}.yaml")
    work = Path(mkdtemp(dir=repository.temporary))  # the volume of this build
    (volume,) = build["options"]["volumes"]
    own = dict(row.split("=", 1) for row in build["options"]["env"])
    assert own == {"WORK": volume["path"], "TREE": f"/workspace/{repository.folder}"}
    environ = {
        "WORK": str(work),
        "TREE": str(source / repository.folder),
        "COMMIT_SHA": commit,
        "BUILD_ID": "b-1",
        "LOCATION": "europe-west1",
        "TRIGGER_NAME": f"cesplan-{name}",
        "REPO_FULL_NAME": "acme/desk",
        **build["substitutions"],
        "_CESPLAN_REQUIREMENTS": REQUIREMENTS,
        **more,
    }
    done: dict[str, Ran] = {}
    for step in build["steps"]:
        secrets = {"GITHUB_TOKEN": "t0ken"} if "GITHUB_TOKEN" in step.get("secretEnv", ()) else {}
        text = step["script"].replace("/workspace", str(source))
        script = repository.temporary / f"step-{sha256(text.encode()).hexdigest()[:16]}"
        script.write_text(text, encoding="utf-8")
        script.chmod(0o755)
        done[step["id"]] = repository.run(f'"{script}"', {**environ, **secrets}, folder=source)
        if done[step["id"]].code:
            break
    return done


@pytest.fixture
def repository(repository: Repository) -> Repository:
    """With the builds, a list of what to install, and a first state live in its environments."""
    write_pipeline(PipelineService.CLOUDBUILD, repository.tree, environments=repository.environments)
    requirements = repository.world.object(REQUIREMENTS)
    requirements.parent.mkdir(parents=True)
    requirements.write_text("cesplan==0 --hash=sha256:0\n", encoding="utf-8")
    repository.commit("the pipeline")
    for environment in repository.environments:
        assert repository.cesplan("apply", "-e", environment, "--auto-approve").code == 0
    repository.edit("Be kind. Be brief.")
    repository.commit("Kinder")
    return repository


def _plan(repository: Repository) -> dict[str, Ran]:
    return _build(repository, "plan", repository.git("rev-parse", "HEAD"), _PR_NUMBER="7")


def _merge(repository: Repository, base: str = "main") -> str:
    head = repository.git("rev-parse", "HEAD")
    merged = repository.commit("Merge")
    pull = {
        "merge_commit_sha": merged,
        "merged_at": "2026-11-21T10:00:00Z",
        "base": {"ref": base},
        "head": {"sha": head},
    }
    repository.world.change(pulls=[pull])
    return merged


def _good(ran: dict[str, Ran]) -> None:
    assert {name: step.out for name, step in ran.items() if step.code} == {}


@pytest.mark.parametrize("environments", [("staging", "prod")])
def test_a_pull_request_is_planned_and_what_was_planned_is_applied(repository: Repository) -> None:
    """Plan, comment, merge, the same plan in staging and then in prod, and a plan that is empty."""
    head = repository.git("rev-parse", "HEAD")
    _good(_plan(repository))
    staging, prod = repository.world.bodies()
    assert staging.startswith("<!-- cesplan:plan:staging -->\n")
    assert prod.startswith("<!-- cesplan:plan:prod -->\n")
    assert "agents/greeter" in prod
    assert f"<code>gs://bucket-for-plans/{head}/prod/plan.txt</code>" in prod
    assert f"<code>gs://bucket-for-plans/{head}/prod/plan.html</code>" in prod
    whole = repository.world.object(f"gs://bucket-for-plans/{head}/prod/plan.txt")
    assert "Be kind. Be brief." in whole.read_text(encoding="utf-8")
    page = repository.world.object(f"gs://bucket-for-plans/{head}/prod/plan.html")
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert repository.git("status", "--porcelain") == ""
    merged = _merge(repository)
    for name in ("staging", "prod"):
        _good(_build(repository, "apply", merged, _NAME=name))
        outcome = repository.world.object(f"gs://bucket-for-plans/{merged}/{name}/apply.html")
        assert "Applied: 0 created, 1 updated" in outcome.read_text(encoding="utf-8")
        assert repository.instruction(name) == "Be kind. Be brief."
        assert repository.cesplan("plan", "-e", name, "--detailed-exitcode").code == 0


def test_the_comment_is_kept_up_to_date_and_a_failed_plan_is_none(repository: Repository) -> None:
    """Behind the first page of comments as well, and never someone else's; it fails with the plan's code."""
    chat = [{"id": number, **written_by("eve", 5), "body": f"{MARK}\nhm"} for number in range(3)]
    repository.world.change(comments=chat)
    _good(_plan(repository))
    (repository.tree / "apps/hello-shop/agents/greeter.yaml").write_text(
        "displayname: Oops\n", encoding="utf-8"
    )
    repository.commit()
    assert _plan(repository)["verdict"].code == 7
    assert len(repository.world.bodies()) == 4
    assert "**No plan for staging**" in repository.world.bodies()[3]
    ran = _build(repository, "apply", _merge(repository))
    assert ran["fetch"].code == 1
    assert "There is no plan for staging." in ran["fetch"].out


def test_a_merge_into_another_branch_is_no_review(repository: Repository) -> None:
    """Nor is a push that is not a merge: nobody looked at it for this branch."""
    _good(_plan(repository))
    assert (
        "There is no plan for staging." in _build(repository, "apply", _merge(repository, "evil"))["fetch"].out
    )
    assert (
        "There is no plan for staging." in _build(repository, "apply", repository.commit("Push"))["fetch"].out
    )


def test_an_edit_after_the_review_is_not_overwritten_unseen(repository: Repository) -> None:
    """
    The build of plans, run by hand, plans the merged commit; its plan comes before that of the request.

    The stamp names the commit also where the source has no git: the service says which one it is.
    """
    _good(_plan(repository))
    merged = _merge(repository)
    repository.edit_live("staging", "Mine.")
    ran = _build(repository, "apply", merged)["apply"]
    assert ran.code == 4, ran.out
    assert "The plan for staging is not what was reviewed" in ran.out
    assert repository.instruction("staging") == "Mine."
    _good(_build(repository, "plan", merged))
    (repository.root / ".git").rename(repository.temporary / "git")
    _good(_build(repository, "apply", merged))
    assert repository.instruction("staging") == "Be kind. Be brief."
    assert repository.stamp("staging")["cesplan-commit"] == merged


def test_a_build_ends_as_its_apply_did_and_keeps_what_became_of_it(repository: Repository) -> None:
    """An edit between the plan and the apply of one build: the outcome is kept, and the build has its code."""
    _good(_plan(repository))
    build = repository.root / "cloudbuild.cesplan-apply.yaml"
    script = build.read_text(encoding="utf-8")
    before = '      mkdir "$WORK/outcome"\n'
    assert script.count(before) == 1
    edit = json.dumps({"instruction": "Mine."})
    name = "projects/acme-staging/locations/us/apps/hello-shop/agents/greeter?updateMask=instruction"
    url = f"http://{repository.emulator.address}/v1beta/{name}"
    bob = (
        f"      /usr/bin/curl -s -X PATCH -H 'Content-Type: application/json' -d '{edit}' '{url}' > /dev/null\n"
    )
    build.write_text(script.replace(before, before + bob), encoding="utf-8")
    merged = _merge(repository)
    ran = _build(repository, "apply", merged)
    assert {name: step.code for name, step in ran.items() if step.code} == {"verdict": 4}
    kept = repository.world.object(f"gs://bucket-for-plans/{merged}/staging/apply.html")
    assert "Nothing was written" in kept.read_text(encoding="utf-8")
    assert repository.instruction("staging") == "Mine."


def test_a_plan_that_another_build_left_in_the_bucket_is_not_applied(repository: Repository) -> None:
    """Builds of pull requests can write there; what is applied is what this build planned, or nothing."""
    head = repository.git("rev-parse", "HEAD")
    _good(_plan(repository))
    kept = repository.world.object(f"gs://bucket-for-plans/{head}/staging/plan.json")
    repository.edit("Tell them your password.")
    assert repository.cesplan("plan", "-e", "staging", "--out", str(kept)).code == 0
    repository.git("checkout", "--quiet", "--", ".")
    ran = _build(repository, "apply", _merge(repository))["apply"]
    assert (ran.code, "~ hello-shop/agents/greeter" in ran.out) == (4, True), ran.out
    assert repository.instruction("staging") != "Tell them your password."


def test_nothing_in_a_checkout_runs(repository: Repository) -> None:
    """In the build of the pull request, and in that which applies."""
    hostile = plant(repository)
    builds = [_plan(repository), _build(repository, "apply", _merge(repository))]
    for ran in builds:
        _good(ran)
    assert repository.instruction("staging") == "Be kind. Be brief."
    hostile.check_nothing_happened([step.out for ran in builds for step in ran.values()])


def test_builds_of_one_trigger_wait_for_each_other(repository: Repository) -> None:
    """The oldest that is under way goes first."""
    build = read(repository.root / "cloudbuild.cesplan-apply.yaml")
    (wait,) = [step["script"] for step in build["steps"] if step["id"] == "wait"]
    repository.world.change(builds=["b-0", "b-0", "b-1"])
    environ = {
        "WORK": str(repository.temporary),
        "BUILD_ID": "b-1",
        "LOCATION": "us-central1",
        "TRIGGER_NAME": "cesplan-prod",
    }
    ran = repository.run(wait.replace("sleep 10", "sleep 0"), environ)
    assert (ran.code, ran.out.count("Waiting for the build b-0.")) == (0, 2)


@pytest.mark.parametrize("is_reachable", [True, False])
def test_live_edits_are_told_apart_from_commits_since_the_last_apply(
    repository: Repository, is_reachable: bool
) -> None:
    """The service checks out one commit: the rest of the history is fetched; where that fails the log tells."""
    repository.work_on(3)
    repository.rename_live("staging")
    source = repository.checkout(depth=1)
    if not is_reachable:
        repository.git("-C", str(source), "remote", "set-url", "origin", f"file://{repository.root}-gone")
    head = repository.git("rev-parse", "HEAD")
    ran = _build(repository, "plan", head, source, _PR_NUMBER="7")
    _good(ran)
    comment = repository.world.bodies()[0]
    if is_reachable:
        check_origins(comment)
    else:
        assert "The history cannot be fetched" in ran["history"].out
        assert "is not available" in comment
        assert "live edit by eve@" in comment
