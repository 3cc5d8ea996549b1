"""The builds of Cloud Build, run step by step."""

from pathlib import Path

import pytest

from cesplan.workflow.pipelining import Service, write_pipeline
from tests.pipelines.conftest import Ran, Repository
from tests.pipelines.fakes import written_by
from tests.pipelines.reading import read

MARK = "<!-- cesplan:plan:prod -->"


def _build(repository: Repository, name: str, commit: str, **more: str) -> dict[str, Ran]:
    """Run the steps of a build until one fails, each by the shell that its first line names."""
    build = read(repository.root / f"cloudbuild.cesplan-{name}.yaml")
    environ = {
        "COMMIT_SHA": commit,
        "BUILD_ID": "b-1",
        "LOCATION": "europe-west1",
        "TRIGGER_NAME": f"cesplan-{name}",
        "REPO_FULL_NAME": "acme/desk",
        **build["substitutions"],
        **more,
    }
    done: dict[str, Ran] = {}
    for step in build["steps"]:
        own = {**environ, **({"GITHUB_TOKEN": "t0ken"} if "GITHUB_TOKEN" in step.get("secretEnv", ()) else {})}
        script = repository.temporary / f"{name}-{step['id']}"
        script.write_text(step["script"], encoding="utf-8")
        script.chmod(0o755)
        folder = repository.root / step.get("dir", ".")
        done[step["id"]] = repository.run(f'"{script}"', own, folder=folder)
        if done[step["id"]].code:
            break
    return done


@pytest.fixture
def repository(repository: Repository) -> Repository:
    """With the builds and a first state live in both environments."""
    write_pipeline(Service.CLOUDBUILD, repository.tree)
    repository.commit("the pipeline")
    for environment in ("staging", "prod"):
        assert repository.cesplan("apply", "-e", environment, "--auto-approve").code == 0
    repository.edit("Be kind. Be brief.")
    repository.commit("Kinder")
    return repository


def _plan(repository: Repository) -> dict[str, Ran]:
    return _build(repository, "plan", repository.git("rev-parse", "HEAD"), _PR_NUMBER="7")


def _merge(repository: Repository) -> str:
    head = repository.git("rev-parse", "HEAD")
    merged = repository.commit("Merge")
    repository.world.change(pulls=[{"merge_commit_sha": merged, "head": {"sha": head}}])
    return merged


def _good(ran: dict[str, Ran]) -> None:
    assert {name: step.out for name, step in ran.items() if step.code} == {}


def test_a_pull_request_is_planned_and_what_was_planned_is_applied(repository: Repository) -> None:
    """Plan, comment, merge, the same plan in staging and then in prod, and a plan that is empty."""
    _good(_plan(repository))
    staging, prod = repository.world.bodies()
    assert staging.startswith("<!-- cesplan:plan:staging -->\n")
    assert prod.startswith("<!-- cesplan:plan:prod -->\n")
    assert "agents/greeter" in prod
    assert repository.git("status", "--porcelain") == ""
    merged = _merge(repository)
    for name in ("staging", "prod"):
        _good(_build(repository, "apply", merged, _NAME=name))
        assert repository.instruction(name) == "Be kind. Be brief."
        assert repository.cesplan("plan", "-e", name, "--detailed-exitcode").code == 0


def test_the_comment_is_kept_up_to_date_and_a_failed_plan_is_none(repository: Repository) -> None:
    """Behind the first page of comments as well, and never somebody else's; it fails with the plan's code."""
    chat = [{"id": number, **written_by("eve", 5), "body": f"{MARK}\nhm"} for number in range(3)]
    repository.world.change(comments=chat)
    _good(_plan(repository))
    (repository.tree / "apps/hello-shop/app.yaml").write_text("displayname: Oops\n", encoding="utf-8")
    repository.commit()
    for plan in repository.tree.glob(".cesplan/*/plan.json"):  # a build begins with an empty workspace
        Path(plan).unlink()
    assert _plan(repository)["verdict"].code == 7
    assert len(repository.world.bodies()) == 5
    assert "**No plan for prod**" in repository.world.bodies()[4]
    ran = _build(repository, "apply", _merge(repository), _NAME="prod")
    assert ran["fetch"].code == 1
    assert "There is no plan for prod." in ran["fetch"].out


def test_a_stale_plan_writes_nothing_and_a_new_one_can_be_asked_for(repository: Repository) -> None:
    """The build of plans, run by hand, plans the merged commit; its plan comes before that of the request."""
    _good(_plan(repository))
    merged = _merge(repository)
    edit = {"body": {"instruction": "Mine."}, "author": "bob@acme.example"}
    repository.emulator.break_with({"method": "GetAgent", "edit": edit})
    ran = _build(repository, "apply", merged, _NAME="staging")["apply"]
    assert ran.code == 4, ran.out
    assert repository.instruction("staging") == "Mine."
    _good(_build(repository, "plan", merged))
    _good(_build(repository, "apply", merged, _NAME="staging"))
    assert repository.instruction("staging") == "Be kind. Be brief."


def test_builds_of_one_trigger_wait_for_each_other(repository: Repository) -> None:
    """The oldest that is under way goes first."""
    build = read(repository.root / "cloudbuild.cesplan-apply.yaml")
    (wait,) = [step["script"] for step in build["steps"] if step["id"] == "wait"]
    repository.world.change(builds=["b-0", "b-0", "b-1"])
    environ = {"BUILD_ID": "b-1", "LOCATION": "us-central1", "TRIGGER_NAME": "cesplan-prod"}
    ran = repository.run(wait.replace("sleep 10", "sleep 0"), environ)
    assert (ran.code, ran.out.count("Waiting for the build b-0.")) == (0, 2)


def test_the_stamp_names_the_commit_also_where_the_source_has_no_git(repository: Repository) -> None:
    """The service says which one it is."""
    head = repository.git("rev-parse", "HEAD")
    (repository.root / ".git").rename(repository.temporary / "git")
    _good(_build(repository, "plan", head, _PR_NUMBER="7"))
    (repository.temporary / "git").rename(repository.root / ".git")
    _good(_build(repository, "apply", _merge(repository), _NAME="prod"))
    assert repository.stamp("prod")["cesplan-commit"] == head
