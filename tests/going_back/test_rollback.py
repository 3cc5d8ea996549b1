"""`cesplan rollback`: a deployment goes back, and the draft does too where that is asked for."""

import os
import time

import pytest

from tests.going_back.conftest import APP, FIRST, SECOND, WEB

MOVE = ("PATCH", "help-desk/deployments/web-chat?updateMask=appVersion")
RESTORE = ("POST", "help-desk/versions/version-one:restore")
METADATA = ("PATCH", "help-desk?updateMask=metadata")


def split(*shares):
    """A traffic split, of (version, percentage)."""
    rows = [{"id": name[-3:], "trafficPercentage": part, "appVersion": name} for name, part in shares]
    return {"versionRelease": {"state": "RUNNING", "trafficAllocations": rows}}


def test_a_deployment_goes_back_with_one_request(desk):
    """To the version that served before, and is read again."""
    ran = desk.back("--format", "json")
    found = ran.json["deployment"]
    assert (ran.code, found["to"]["display_name"], found["verified"]) == (0, "First", True)
    assert [item["version"] for item in found["before"]] == ["version-two"]
    assert [item["version"] for item in found["after"]] == ["version-one"]
    assert (desk.serves, desk.writes()) == (FIRST, [MOVE])


def test_asked_twice_it_goes_back_once(desk):
    """The second time nothing is written: it does not go forward again, nor further back."""
    assert desk.back().code == 0
    desk.writes()
    ran = desk.back()
    assert (ran.code, desk.serves, desk.writes()) == (0, FIRST, [])
    assert "web-chat already serves First" in ran.out


def test_to_a_version_that_is_named(desk):
    """By display name, id or key, and forward too, if that is what is said."""
    for name, found in (("First", FIRST), ("version-two", SECOND), ("v1", FIRST)):
        assert desk.back("--to", name, "--allow-revert", "all").code == 0
        assert desk.serves == found


def test_a_split_is_taken_out(desk):
    """A canary goes back to where it began, in one request with both fields."""
    desk.edit(WEB, "appVersion", {"appVersion": FIRST})
    body = {"experimentConfig": split((FIRST, 95), (SECOND, 5))}
    desk.edit(WEB, "appVersion,experimentConfig", body)
    desk.writes()
    ran = desk.back("--allow-revert", "all")
    assert ran.code == 0, ran.err
    assert "web-chat: First (95%), Second (5%) → First" in ran.out
    assert "the traffic split is removed" in " ".join(ran.out.split())
    assert desk.serves == FIRST
    assert desk.writes() == [("PATCH", "help-desk/deployments/web-chat?updateMask=appVersion,experimentConfig")]


def test_the_end_of_a_canary_goes_back_to_its_beginning(desk):
    """And not to the split in between."""
    desk.edit(WEB, "appVersion", {"appVersion": FIRST})
    desk.edit(WEB, "appVersion,experimentConfig", {"experimentConfig": split((FIRST, 50), (SECOND, 50))})
    desk.edit(WEB, "appVersion,experimentConfig", {"appVersion": SECOND})
    assert desk.back("--allow-revert", "all").code == 0
    assert desk.serves == FIRST


def test_what_is_not_known_has_to_be_said(desk):
    """Without a change log that can be read, a person names the version; those that there are are listed."""
    denied = {"status": {"code": "PERMISSION_DENIED"}, "times": 100}
    desk.emulator.break_with({"method": "ListChangelogs", **denied})
    ran = desk.back()
    assert ran.code == 64
    assert "The version that the deployment served before is unknown" in ran.err
    assert [line.split()[0] for line in ran.err.splitlines() if "2026" in line] == ["Second", "First"]
    assert desk.writes() == []
    assert desk.back("--to", "First", "--allow-revert", "all").code == 0


def test_the_next_apply_does_not_go_forward_unseen(desk):
    """Going back is a live edit: an apply without a prompt refuses to revert it."""
    assert desk.back("--draft").code == 0
    ran = desk.typed("apply", "--auto-approve")
    assert ran.code == 5
    assert "help-desk/deployments/web-chat reverts a live edit" in ran.err
    assert desk.serves == FIRST


def test_the_draft_is_restored_and_proven(desk):
    """The service saves the draft as a version first; the stamp of the app stays as it was."""
    before = desk.get(APP)["metadata"]
    ran = desk.back("--draft", "--format", "json")
    found = ran.json["draft"]
    assert (ran.code, found["restored"], found["proven"], found["remaining"]) == (0, True, True, [])
    assert {item["address"] for item in found["plan"]["resource_changes"]} == {
        "help-desk/agents/front-desk",
        "help-desk/agents/billing",
    }
    assert desk.writes() == [MOVE, RESTORE, METADATA]
    assert desk.instruction == "Be kind."
    assert [item["displayName"] for item in desk.get(f"{APP}/agents")["agents"]] == ["Front desk"]
    (backup,) = found["backups"]
    assert desk.versions == [FIRST, SECOND, f"{APP}/versions/{backup['id']}"]
    assert desk.get(APP)["metadata"] == before
    desk.writes()
    again = desk.back("--draft", "--format", "json")
    assert (again.code, again.json["draft"]["proven"], desk.writes()) == (0, True, [])


def test_a_restored_draft_is_a_live_edit_of_now(desk):
    """The stamp is put back, and still belongs to the apply: what came after that was no write of it."""
    before = desk.typed("history", "--format", "json").json["events"]
    assert desk.back("--draft").code == 0
    after = desk.typed("history", "--format", "json").json["events"]
    assert [item["event"] for item in after[: -len(before)]] == ["edit"]
    assert after[-len(before) :] == before
    found = desk.typed("plan", "--format", "json").json["resource_changes"]
    edits = {item["address"]: edit["time"] for item in found for edit in _live_edits(item)}
    assert {*edits} == {
        f"help-desk/{name}" for name in ("agents/front-desk", "agents/billing", "deployments/web-chat")
    }
    assert min(edits.values()) > before[0]["last_time"]


def _live_edits(item):
    """Every live edit that a change in a plan names."""
    if isinstance(item, dict):
        yield from [item["live_edit"]] if item.get("live_edit") else []
        yield from (edit for value in item.values() for edit in _live_edits(value))
    elif isinstance(item, list):
        yield from (edit for value in item for edit in _live_edits(value))


def test_live_edits_that_would_be_lost_are_named(desk):
    """With author and time; without a prompt they need a flag."""
    desk.edit(f"{APP}/agents/front-desk", "instruction", {"instruction": "Be live."})
    desk.writes()
    ran = desk.back("--draft")
    assert ran.code == 5
    assert "help-desk/agents/front-desk reverts a live edit by eve@acme.example" in ran.err
    assert "--allow-revert help-desk/agents/front-desk" in ran.err
    assert desk.writes() == []
    assert desk.back("--draft", "--allow-revert", "help-desk/agents/front-desk").code == 0
    assert desk.instruction == "Be kind."


def test_what_others_keep_in_the_metadata_stays(desk):
    """A version has the metadata of its time; only keys of the tree go back."""
    metadata = desk.get(APP)["metadata"] | {"owner": "desk-team"}
    desk.edit(APP, "metadata", {"metadata": metadata})
    assert desk.back("--draft").code == 0
    assert desk.get(APP)["metadata"] == metadata


def test_somebody_edits_while_the_plan_is_read(desk):
    """What was not shown is not overwritten: the draft stays, and that is said."""
    desk.emulator.break_with(
        {
            "method": "UpdateDeployment",
            "edit": {
                "name": f"{APP}/agents/front-desk",
                "body": {"instruction": "Be quick."},
                "author": "eve@acme.example",
                "after": True,
            },
        }
    )
    ran = desk.back("--draft", "--format", "json")
    assert (ran.code, ran.json["exit_code"], ran.json["deployment"]["verified"]) == (4, 4, True)
    assert (ran.json["draft"]["restored"], ran.json["draft"]["proven"]) == (False, False)
    assert "it changed after the plan was shown" in ran.err
    assert (desk.instruction, desk.serves) == ("Be quick.", FIRST)


def test_somebody_moves_the_deployment_meanwhile(desk):
    """What they wrote is not overwritten, and the draft is left alone."""
    share = split((FIRST, 50), (SECOND, 50))
    edit = {"name": WEB, "body": {"experimentConfig": share}, "author": "eve@acme.example"}
    desk.emulator.break_with({"method": "GetDeployment", "edit": edit})
    ran = desk.back("--draft", "--format", "json")
    assert (ran.code, ran.json["exit_code"]) == (4, 4)
    assert desk.writes() == []
    assert "eve@acme.example" in ran.out
    assert ran.json["draft"]["restored"] is False


def test_a_restore_that_brings_something_else_is_not_proven(desk):
    """The draft differs from the version afterwards: exit code 3, and where."""
    desk.emulator.break_with(
        {
            "method": "RestoreAppVersion",
            "edit": {"name": f"{APP}/agents/front-desk", "body": {"instruction": "Be odd."}, "after": True},
        }
    )
    ran = desk.back("--draft", "--format", "json")
    assert ran.code == 3
    assert ran.json["draft"]["remaining"] == ["help-desk/agents/front-desk"]
    assert ran.json["draft"]["proven"] is False


@pytest.mark.parametrize(
    "fault",
    [
        {"method": "RestoreAppVersion", "reset": {"after": True}},
        {"method": "RestoreAppVersion", "status": {"code": "UNAVAILABLE", "after": True}},
        {"method": "UpdateDeployment", "reset": {"after": True}},
    ],
)
def test_a_lost_reply_is_resolved_by_reading(desk, fault):
    """Nothing is sent twice."""
    desk.emulator.break_with(fault)
    ran = desk.back("--draft", "--format", "json")
    assert (ran.code, ran.json["draft"]["proven"]) == (0, True)
    assert [item for item in desk.writes() if item in (MOVE, RESTORE)] == [MOVE, RESTORE]


def test_a_lost_request_is_reported_as_unknown(desk):
    """The restore never arrived, and it is not sent again."""
    desk.emulator.break_with({"method": "RestoreAppVersion", "reset": {"after": False}})
    ran = desk.back("--draft")
    assert ran.code == 1
    assert (desk.instruction, desk.serves) == ("Be rude.", FIRST)
    assert desk.back("--draft").code == 0
    assert desk.instruction == "Be kind."


def test_an_operation_that_fails(desk):
    """What the service says, with its exit code."""
    desk.emulator.break_with(
        {
            "method": "RestoreAppVersion",
            "late": {"code": "INTERNAL", "message": "no luck", "polls": 2, "effect": False},
        }
    )
    ran = desk.back("--draft")
    assert ran.code == 1
    assert "no luck" in ran.err


@pytest.mark.parametrize("lease", [False, True])
@pytest.mark.parametrize("nth", range(6))
def test_a_kill_after_any_write_and_a_second_run_end_like_no_kill(desk, nth, lease):
    """The process dies when its nth write has been carried out, without another request."""
    if lease:
        path = desk.root / "cesplan.yaml"
        path.write_text(f"lease: true\n{path.read_text()}")
    stamp = desk.get(APP)["metadata"]
    child = os.fork()
    if child == 0:
        _die_after(nth)
        try:
            from cesplan.cli.running import run

            run(["rollback", "--auto-approve", "--draft"])
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    if lease:  # the lease of a run that was killed ends by itself
        held = desk.get(APP).get("metadata", {})
        desk.edit(APP, "metadata", {"metadata": {k: v for k, v in held.items() if k != "cesplan-lease"}})
    ran = desk.back("--draft")
    assert ran.code == 0, ran.err
    assert (desk.serves, desk.instruction) == (FIRST, "Be kind.")
    assert desk.get(APP)["metadata"] == stamp
    assert len(desk.versions) == 3


def _die_after(nth):
    """The process dies right after its nth request that writes, counted from 0."""
    from cesplan.remote.transport import Transport

    send, seen = Transport.send, []

    def sent(self, call, headers):
        answer = send(self, call, headers)
        if not call.reads:
            seen.append(call)
            if len(seen) > nth:
                os._exit(9)
        return answer

    Transport.send = sent


def test_another_run_has_the_lease(desk):
    """Nothing is written, as with an apply."""
    metadata = desk.get(APP)["metadata"]
    lease = f"{'0' * 32} {int(time.time()) + 200}"
    desk.edit(APP, "metadata", {"metadata": metadata | {"cesplan-lease": lease}})
    desk.writes()
    for words in ((), ("--draft", "--allow-revert", "all")):
        ran = desk.back(*words)
        assert (ran.code, desk.writes()) == (4, [])
        assert "Another apply of help-desk is running" in ran.err


def test_the_guard_and_the_policy_are_asked(desk):
    """A rule that denies, one that wants approval, a locked app."""
    rule = "policy:\n- {name: freeze, when: kind == 'deployments', deny: 'true', SEVERITY}\n"
    path = desk.root / "cesplan.yaml"
    before = path.read_text()
    path.write_text(before + rule.replace("SEVERITY", "severity: deny, message: Not now"))
    ran = desk.back()
    assert ran.code == 5, ran.err
    assert "Not now" in ran.err
    path.write_text(before + rule.replace("SEVERITY", "severity: needs-approval, message: Ask Ada"))
    assert desk.back().code == 5
    assert desk.writes() == []
    assert desk.back("--allow-policy", "freeze").code == 0
    path.write_text(before)
    desk.edit(APP, "locked", {"locked": True})
    ran = desk.back("--to", "v2")
    assert ran.code == 5
    assert "is locked" in ran.err


def test_a_locked_app(desk):
    """It is unlocked for the deployment and locked again; its draft cannot be restored."""
    desk.edit(APP, "locked", {"locked": True})
    ran = desk.back("--draft", "--allow-unlock", "--allow-revert", "all")
    assert (ran.code, desk.serves) == (5, SECOND)
    assert "a locked app cannot be restored: unlock it first" in ran.err
    assert desk.back("--allow-unlock").code == 0
    assert (desk.serves, desk.get(APP)["locked"]) == (FIRST, True)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--to", "v9"), 64, "no version `v9`"),
        (("--deployment", "web-chit"), 64, "no deployment `web-chit`. Did you mean `web-chat`?"),
        (("--app", "nope"), 64, "no app `nope`"),
    ],
)
def test_what_there_is_not_is_wrong_usage(desk, words, code, said):
    ran = desk.back(*words)
    assert ran.code == code
    assert said in ran.err


def test_without_a_terminal_nothing_is_written(desk):
    """And the command that goes on is shown, with the environment."""
    assert desk.typed("apply", "-e", "prod", "--auto-approve", "--adopt").code == 0
    desk.writes()
    ran = desk.typed("rollback", "-e", "prod", "--draft", "--to", "First")
    assert ran.code == 5
    assert "cesplan rollback -e prod --to First --draft --auto-approve" in ran.err
    assert desk.writes() == []


@pytest.mark.parametrize(("typed", "code", "serves"), [("yes", 1, SECOND), ("1", 0, FIRST)])
def test_a_person_is_asked(desk, at_terminal, monkeypatch, typed, code, serves):
    """The question says where, in which environment, what changes and goes; deletes are typed as a number."""
    assert desk.typed("apply", "-e", "prod", "--auto-approve", "--adopt").code == 0
    monkeypatch.setenv("NO_COLOR", "1")
    ended, seen = at_terminal("rollback", "-e", "prod", "--draft", typed=f"{typed}\n")
    assert "type the number of deletes: " in seen
    question = seen.partition("type the number of deletes: ")[0].rpartition("\r\n\r\n")[2]
    assert "help-desk in acme-dev/us (EMULATOR), environment prod:" in question
    assert "web-chat: Second → First" in question
    assert "draft → First: 1 updated, 1 deleted" in question
    assert (ended, desk.serves) == (code, serves)


def test_without_a_tree(desk, tmp_path, monkeypatch):
    """A full name is enough; keys are the service's ids."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (desk.root / "cesplan.yaml").rename(desk.root / "away.yaml")
    monkeypatch.chdir(folder)
    ran = desk.back("--app", APP, "--draft", "--allow-revert", "all")
    assert ran.code == 0, ran.err
    assert (desk.serves, desk.instruction) == (FIRST, "Be kind.")


def test_another_environment_of_the_app_is_refused(desk):
    """The stamp names the environment that it was applied in, as for an apply."""
    assert desk.typed("apply", "-e", "prod", "--auto-approve", "--adopt").code == 0
    desk.writes()
    ran = desk.back()
    assert (ran.code, desk.writes()) == (5, [])
    assert "prod" in ran.err
