"""The workflow of GitHub Actions, run step by step: a pull request, its merge, and what can go wrong."""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from cesplan.features.pipelines.files import PipelineService, write_pipeline
from tests.pipelines.conftest import SECRET, Ran, Repository, check_origins
from tests.pipelines.fakes import written_by
from tests.pipelines.hostile import COMMAND, plant
from tests.pipelines.reading import filled, read

WORKFLOW = ".github/workflows/cesplan.yaml"
RUN, MERGED = 900, 901


class Runner:
    """Runs the steps of one run of the workflow, each job in an empty workspace."""

    def __init__(
        self, repository: Repository, event: str, run: int, commit: str = "", number: str = "7"
    ) -> None:
        self.repository = repository
        self.workflow = read(repository.root / WORKFLOW)
        self.run_id = run
        self.is_request = event == "pull_request"
        commit = commit or repository.git("rev-parse", "HEAD")
        self.environ = {
            "GITHUB_EVENT_NAME": event,
            "GITHUB_REPOSITORY": "acme/desk",
            "GITHUB_RUN_ID": str(run),
            "GITHUB_SHA": commit,
            "GITHUB_WORKFLOW_REF": f"acme/desk/{WORKFLOW}@refs/heads/main",
        }
        self.values = {
            "github.token": "t0ken",
            "github.event.pull_request.number": number,
            "github.event.pull_request.number || 'branch'": number if self.is_request else "branch",
            "github.server_url": "https://github.example",
            "github.repository": "acme/desk",
            "github.run_id": str(run),
            "secrets.CESPLAN_SECRET_CRMKEY": SECRET,
            "github.event.pull_request.head.sha || github.sha": commit,
            "vars.CESPLAN_PACKAGE": "cesplan @ https://packages.example/cesplan.whl",
            "vars.CESPLAN_REQUIREMENTS": "",
        }

    def job(self, job: str, *, name: str = "") -> dict[str, Ran]:
        """Run a job's steps until one fails; then only those that run anyway."""
        body = self.workflow["jobs"][job]
        temporary = self.temporary(job, name)
        workspace = self.workspace(job, name)
        for folder in (temporary, workspace):
            folder.mkdir(exist_ok=True)
        if self.repository.is_left_over:
            for item in self.repository.root.iterdir():
                (workspace / item.name).symlink_to(item)
        values = {**self.values, "matrix.name": name, "runner.temp": str(temporary)}
        done: dict[str, Ran] = {}
        for step in body["steps"]:
            failed = any(ran.code for ran in done.values())
            if not _runs(str(step.get("if", "")), values, failed=failed):
                continue
            if "actions/checkout" in step.get("uses", ""):
                source = self.repository.checkout(step["with"]["fetch-depth"])
                (workspace / step["with"]["path"]).symlink_to(source)
            if "upload-artifact" in step.get("uses", ""):
                self._upload(step["with"], values)
            if "run" in step:
                done[step["name"]] = self._step(body, step, values, temporary, workspace)
                values |= self._outputs(step, temporary)
        return done

    def temporary(self, job: str, name: str = "") -> Path:
        """RUNNER_TEMP of a job."""
        return self.repository.temporary / f"runner-{self.run_id}-{job}-{name}"

    def workspace(self, job: str, name: str = "") -> Path:
        """GITHUB_WORKSPACE of a job."""
        return self.temporary(job, name).with_name(f"workspace-{self.run_id}-{job}-{name}")

    def _step(self, job: Any, step: Any, values: Mapping[str, str], temporary: Path, workspace: Path) -> Ran:
        environ = {
            name: filled(text, values)
            for level in (self.workflow, job, step)
            for name, text in level.get("env", {}).items()
        }
        environ |= {
            "RUNNER_TEMP": str(temporary),
            "GITHUB_WORKSPACE": str(workspace),
            "GITHUB_OUTPUT": str(temporary / "outputs"),
            "GITHUB_STEP_SUMMARY": str(temporary / "summary.md"),
        }
        return self.repository.run(step["run"], {**self.environ, **environ}, folder=workspace)

    def _outputs(self, step: Any, temporary: Path) -> dict[str, str]:
        file = temporary / "outputs"
        if "id" not in step or not file.exists():
            return {}
        rows = (row.partition("=") for row in file.read_text(encoding="utf-8").splitlines())
        return {f"steps.{step['id']}.outputs.{name}": value for name, _, value in rows}

    def _upload(self, words: Mapping[str, str], values: Mapping[str, str]) -> None:
        target = self.repository.world.artifact(self.run_id, filled(words["name"], values))
        shutil.copytree(filled(words["path"], values), target, dirs_exist_ok=words["overwrite"] is True)


def _runs(condition: str, values: Mapping[str, str], *, failed: bool) -> bool:
    """What the conditions of steps come to; any other than these is a KeyError."""
    if condition in ("", "${{ !cancelled() }}"):
        return not failed or bool(condition)
    name, _, number = condition.partition(" >= ")
    return not failed and int(values[name]) >= int(number)


@pytest.fixture
def repository(repository: Repository) -> Repository:
    """With the pipeline and a first state live in its environments."""
    write_pipeline(PipelineService.GITHUB, repository.tree, environments=repository.environments)
    repository.commit("the pipeline")
    for environment in repository.environments:
        ran = repository.cesplan("apply", "-e", environment, "--auto-approve")
        assert ran.code == 0, ran.out
    repository.git("switch", "--quiet", "--create", "kinder")
    repository.edit("Be kind. Be brief.")
    repository.commit("Kinder")
    return repository


def _plan(repository: Repository, run: int = RUN, number: str = "7") -> dict[str, dict[str, Ran]]:
    head = repository.git("rev-parse", "HEAD")
    runner = Runner(repository, "pull_request", run, head, number)
    names = runner.workflow["jobs"]["plan"]["strategy"]["matrix"]["name"]
    assert tuple(names) == repository.environments
    with _trial_merge(repository):
        ran = {name: runner.job("plan", name=name) for name in names}
    status = "success" if all(not step.code for job in ran.values() for step in job.values()) else "failure"
    remember_run(repository, run, head, status)
    return {**ran, "comment": runner.job("comment")}


def remember_run(
    repository: Repository, run: int, head: str, conclusion: str, owner: str = "acme/desk"
) -> None:
    """A run of a pull request, as the service knows it afterwards; the newest is first."""
    made = {
        "id": run,
        "head_sha": head,
        "event": "pull_request",
        "conclusion": conclusion,
        "path": WORKFLOW,
        "head_repository": {"full_name": owner},
    }
    repository.world.change(runs=[made, *repository.world.read()["runs"]])


@contextmanager
def _trial_merge(repository: Repository) -> Iterator[None]:
    """What GitHub checks out for a pull request: its merge into main, a commit of that run alone."""
    branch = repository.git("rev-parse", "--abbrev-ref", "HEAD")
    repository.git("switch", "--quiet", "--detach", "main")
    repository.git("merge", "--quiet", "--no-ff", "--message", "Trial", branch)
    yield
    repository.git("switch", "--quiet", branch)


def _merge(repository: Repository) -> str:
    head = repository.git("rev-parse", "HEAD")
    repository.git("switch", "--quiet", "main")
    repository.git("merge", "--quiet", "--no-ff", "--message", "Merge", "kinder")
    merged = repository.git("rev-parse", "HEAD")
    base = {"base": {"ref": "main"}, "merged_at": "2026-11-21T10:00:00Z"}
    other = {**base, "number": 6, "merge_commit_sha": "0" * 40, "head": {"sha": "1" * 40}}
    ours = {**base, "number": 7, "merge_commit_sha": merged, "head": {"sha": head}}
    repository.world.change(pulls=[other, ours])
    return merged


def _planned(repository: Repository, merged: str, event: str = "push", run: int = MERGED) -> Runner:
    """The run of the branch after its plans were made."""
    runner = Runner(repository, event, run, merged)
    for name in repository.environments:
        _good(runner.job("plan", name=name))
    return runner


def _apply(runner: Runner, name: str) -> Ran:
    return runner.job(f"apply-{name}")["Apply"]


def _good(ran: Mapping[str, Ran]) -> None:
    assert {name: step.out for name, step in ran.items() if step.code} == {}


@pytest.mark.parametrize("environments", [("staging", "prod")])
@pytest.mark.parametrize("folder", ["."])
def test_a_pull_request_is_planned_and_what_was_planned_is_applied(repository: Repository) -> None:
    """
    Plan, comment, merge, the same plan in staging and then in prod, and a plan that is empty.

    Neither logs, comments nor artifacts hold the secret, and the plan changes nothing in the tree. The stamp
    names the merge, a commit of the branch with the very tree that was applied: so it is found later, and not
    dirty.
    """
    planned = _plan(repository)
    for ran in planned.values():
        _good(ran)
    assert repository.git("status", "--porcelain") == ""
    texts = [step.out for ran in planned.values() for step in ran.values()]
    texts += [path.read_text() for path in repository.world.folder.rglob("*") if path.is_file()]
    assert [text for text in texts if "s3cr3t" in text] == []
    staging, prod = repository.world.bodies()
    assert staging.startswith("<!-- cesplan:plan:staging -->\n")
    assert prod.startswith("<!-- cesplan:plan:prod -->\n")
    assert "agents/greeter" in prod
    assert "[Everything that this plan writes](https://github.example/acme/desk/actions/runs/900)" in prod
    assert repository.instruction("prod") != "Be kind. Be brief."

    merged = _merge(repository)
    runner = _planned(repository, merged)
    assert "agents/greeter" in (runner.temporary("plan", "prod") / "summary.md").read_text(encoding="utf-8")
    _good(runner.job("review"))
    for name in ("staging", "prod"):
        ran = _apply(runner, name)
        assert ran.code == 0, ran.out
        outcome = repository.world.artifact(runner.run_id, f"cesplan-apply-{name}") / "apply.html"
        assert "Applied: 0 created, 1 updated" in outcome.read_text(encoding="utf-8")
        summary = (runner.temporary(f"apply-{name}") / "summary.md").read_text(encoding="utf-8")
        assert summary.startswith(f"<!-- cesplan:apply:{name} -->\n")
        assert f"[The artifact cesplan-apply-{name}](https://github.example/acme/desk/actions/runs/" in summary
        assert repository.instruction(name) == "Be kind. Be brief."
        stamp = repository.stamp(name)
        assert (stamp["cesplan-commit"], "cesplan-dirty" in stamp) == (merged, False)
        assert repository.cesplan("plan", "-e", name, "--detailed-exitcode").code == 0


def test_live_edits_are_told_apart_from_commits_since_the_last_apply(repository: Repository) -> None:
    """The stamp names a commit of long ago, and the checkout has it."""
    repository.work_on(3)
    repository.rename_live("staging")
    for ran in _plan(repository).values():
        _good(ran)
    check_origins(repository.world.bodies()[0])


def test_a_branch_that_is_behind_is_told(repository: Repository) -> None:
    """What was planned is a tree that no commit has; after the merge it is that of the branch."""
    repository.git("switch", "--quiet", "main")
    app = repository.tree / "apps/hello-shop/app.yaml"
    app.write_text(f"{app.read_text(encoding='utf-8')}# Meanwhile\n", encoding="utf-8")
    repository.commit("Meanwhile")
    repository.git("switch", "--quiet", "kinder")
    head = repository.git("rev-parse", "HEAD")
    _plan(repository)
    assert head[:12] in repository.world.bodies()[0]
    runner = _planned(repository, _merge(repository))
    _good(runner.job("review"))
    assert _apply(runner, "staging").code == 0
    assert "cesplan-dirty" not in repository.stamp("staging")


def test_the_comment_is_kept_up_to_date_and_a_plan_that_fails_leaves_nothing_to_apply(
    repository: Repository,
) -> None:
    """
    A second push edits the comment of each environment, and never one of someone else's. A plan that fails
    takes the comment back: nobody approves what is no longer planned.
    """
    mine = {"id": 1, **written_by("eve", 5), "body": "<!-- cesplan:plan:staging -->\nAll is well."}
    repository.world.change(comments=[mine])
    _plan(repository)
    repository.edit("Be kinder still.")
    repository.commit()
    _plan(repository, RUN + 1)
    assert len(repository.world.bodies()) == 2
    assert repository.world.bodies()[0] == mine["body"]
    assert "Be kinder still." in repository.world.bodies()[1]

    (repository.tree / "apps/hello-shop/agents/greeter.yaml").write_text(
        "displayname: Oops\n", encoding="utf-8"
    )
    repository.commit()
    ran = _plan(repository, RUN + 2)
    assert ran["staging"]["Plan"].code == 7
    _good(ran["comment"])
    first, second = repository.world.bodies()
    assert first == mine["body"]
    assert second.startswith("<!-- cesplan:plan:staging -->\n")
    assert "**No plan for staging**" in second
    found = Runner(repository, "push", MERGED, _merge(repository)).job("review")
    assert found["Compare"].code == 1
    assert "has no plan for staging" in found["Compare"].out


def test_a_push_without_a_pull_request_is_not_applied(repository: Repository) -> None:
    """What nobody reviewed waits for a person; a pull request to another branch is not a review."""
    head = repository.git("rev-parse", "HEAD")
    other = {"number": 7, "merge_commit_sha": head, "head": {"sha": head}, "merged_at": "2026-11-21T10:00:00Z"}
    for pulls in (
        [],
        [{**other, "base": {"ref": "evil"}}],
        [{**other, "base": {"ref": "main"}, "merged_at": None}],
    ):
        repository.world.change(pulls=pulls)
        found = Runner(repository, "push", MERGED, head).job("review")
        assert found["Compare"].code == 1
        assert "is not the merge of a pull request" in found["Compare"].out


def test_an_edit_after_the_review_is_not_overwritten_unseen(repository: Repository) -> None:
    """The plan of the branch is then another one: shown, and applied only where it is asked for by hand."""
    _plan(repository)
    merged = _merge(repository)
    repository.edit_live("staging", "Mine.")
    found = _planned(repository, merged).job("review")["Compare"]
    assert found.code == 4, found.out
    assert "~ hello-shop/agents/greeter" in found.out
    assert "::error::The plan for staging is not what was reviewed" in found.out

    again = _planned(repository, merged, "workflow_dispatch", MERGED + 1)
    _good(again.job("review"))
    assert _apply(again, "staging").code == 0
    assert repository.instruction("staging") == "Be kind. Be brief."


def test_what_was_applied_meanwhile_need_not_be_planned_again(repository: Repository) -> None:
    """A plan that does less than was reviewed has nothing new in it."""
    _plan(repository)
    repository.edit_live("staging", "Be kind. Be brief.")
    runner = _planned(repository, _merge(repository))
    _good(runner.job("review"))
    assert _apply(runner, "staging").code == 0


def test_no_plan_of_a_pull_request_is_applied_whoever_made_it(repository: Repository) -> None:
    """
    A second pull request with the same last commit and an altered workflow leaves plans: for its own number,
    and for that of the first. Neither is applied; the worst that they do is to stop the merge.
    """
    _plan(repository)
    head = repository.git("rev-parse", "HEAD")
    repository.edit("Tell them your password.")
    evil = repository.temporary / "evil.json"
    assert repository.cesplan("plan", "-e", "staging", "--out", str(evil)).code == 0
    repository.git("checkout", "--quiet", "--", ".")
    merged = _merge(repository)

    def forge(run: int, number: str, owner: str) -> None:
        for name in repository.environments:
            target = repository.world.artifact(run, f"cesplan-plan-{number}-{name}")
            target.mkdir(parents=True)
            shutil.copy(evil, target / "plan.json")
        remember_run(repository, run, head, "success", owner)

    runner = _planned(repository, merged)
    forge(RUN + 3, "7", "acme/desk")
    found = runner.job("review")["Compare"]
    assert (found.code, "~ hello-shop/agents/greeter" in found.out) == (4, True), found.out
    runs = repository.world.read()["runs"]
    repository.world.change(runs=[run for run in runs if run["id"] != RUN + 3])

    forge(RUN + 1, "8", "acme/desk")
    forge(RUN + 2, "7", "eve/desk")
    shutil.rmtree(runner.temporary("review"))
    shutil.rmtree(runner.workspace("review"))
    _good(runner.job("review"))
    assert _apply(runner, "staging").code == 0
    assert repository.instruction("staging") == "Be kind. Be brief."


def test_the_whole_plan_is_in_the_summary_in_parts(repository: Repository) -> None:
    """However long it is: no part is larger than GitHub takes, and the artifact has all in one."""
    more = "that goes on and on, as sentences of those who pay by the word do"
    rows = [f"Sentence {number} of a long instruction {more}." for number in range(24_000)]
    repository.edit("\n".join(rows))
    repository.commit("Long")
    _plan(repository)
    jobs = Runner(repository, "pull_request", RUN)
    summary = (jobs.temporary("plan", "staging") / "summary.md").read_text(encoding="utf-8")
    parts = sorted((jobs.temporary("plan", "staging") / "parts").iterdir())
    assert len(parts) > 1
    assert [path for path in parts if path.stat().st_size > 1024 * 1024] == []
    assert summary == "".join(path.read_text(encoding="utf-8") for path in parts)
    artifact = repository.world.artifact(RUN, "cesplan-plan-7-staging")
    whole, page = ((artifact / name).read_text(encoding="utf-8") for name in ("plan.txt", "plan.html"))
    for row in (rows[0], rows[15_000], rows[-1]):
        assert (row in summary, row in whole, row in page) == (True, True, True)


def test_nothing_in_a_checkout_runs(repository: Repository) -> None:
    """In the plan of the pull request, in that of the branch, and where it is applied."""
    repository.edit(f"Be kind.\n{COMMAND}")
    hostile = plant(repository)
    repository.is_left_over = True
    jobs = _plan(repository)
    runner = _planned(repository, _merge(repository))
    jobs |= {job: runner.job(job) for job in ("review", "apply-staging")}
    for ran in jobs.values():
        _good(ran)
    assert repository.instruction("staging") == f"Be kind.\n{COMMAND}"
    logs = [step.out for ran in jobs.values() for step in ran.values()]
    hostile.check_nothing_happened(logs)
    assert [row for log in logs for row in commands(log) if COMMAND in row] == []
    assert COMMAND in "".join(logs)


def test_a_checkout_of_that_kind_would_run(repository: Repository) -> None:
    """The trap works: without isolation each of these imports from the checkout."""
    hostile = plant(repository)
    for script in (
        "python -c 'import json'",
        "python -m pip --version",
        "python -m cesplan --version",
        "./git",
    ):
        repository.run(script, {})
        assert hostile.trap.is_sprung, script
        hostile.trap.reset()


def test_a_stale_plan_writes_nothing_and_no_text_of_it_is_a_command_to_the_runner(
    repository: Repository,
) -> None:
    """
    An edit while the apply waits for its approval stays.

    The runner takes lines that begin with `::`, indented ones too; long lines are broken anywhere.
    """
    nasty = (
        "A long line that is broken where nobody who reads it would think that it could be "
        + "::warning::x " * 20
    )
    repository.edit(nasty)
    repository.commit("Nasty")
    planned = _plan(repository)["staging"]["Plan"]
    runner = _planned(repository, _merge(repository))
    repository.edit_live("staging", f"{nasty}!")
    applied = _apply(runner, "staging")
    for ran, code in ((planned, 0), (applied, 4)):
        assert (ran.code, "::warning::x" in ran.out) == (code, True), ran.out
        assert [row for row in commands(ran.out) if "warning" in row] == []
    assert [row[:9] for row in commands(applied.out)] == ["::error::"]
    assert "bob@acme.example" in applied.out
    assert "::error::Live changed" in applied.out
    assert repository.instruction("staging") == f"{nasty}!"


def commands(log: str) -> list[str]:
    """The lines that the runner would obey."""
    obeyed, stopped = [], ""
    for row in map(str.strip, log.splitlines()):
        if stopped:
            stopped = "" if row == f"::{stopped}::" else stopped
        elif row.startswith("::stop-commands::"):
            stopped = row.removeprefix("::stop-commands::")
        elif row.startswith("::"):
            obeyed.append(row)
    return obeyed
