"""Where the rows of the table of exit codes play: what is done to the tree and the service before each."""

import json
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from cesplan.emulator import EmbeddedEmulator
from tests.cli.conftest import Run, Tree

APP = "projects/acme-dev/locations/us/apps/help-desk"
RULE = """\
policy:
  - name: rails-stay-on
    when: kind == "guardrails"
    deny: action == "delete" || !after.enabled
    severity: {severity}
"""
CASE = """\
- name: off
  operation: {address: a/guardrails/b, before: {enabled: true}, after: {enabled: false}}
  expect: EXPECTED
"""
DEPLOYMENT = "displayName: Web\nappVersion: versions/@no-such\nchannelProfile: {channelType: API}\n"


@dataclass(frozen=True)
class Scene:
    """Where a row plays."""

    service: EmbeddedEmulator
    tree: Tree
    run: Run
    monkeypatch: pytest.MonkeyPatch


def as_it_is(scene: Scene) -> None:
    """A tree that was never applied."""


def conversations(said: str) -> Callable[[Scene], None]:
    """An eval set of ADK in which the agent is to say Hello, and results in which it says something."""

    def write(scene: Scene) -> None:
        for name, answer in (("desk.evalset.json", "Hello"), ("run.json", said)):
            turn = {
                "user_content": {"parts": [{"text": "Hi"}]},
                "final_response": {"parts": [{"text": answer}]},
            }
            case = {"eval_id": "greeting", "conversation": [turn]}
            scene.tree.write(name, json.dumps({"eval_set_id": "desk", "eval_cases": [case]}))
        scene.tree.write("judged.json", '{"criteria": {"safety_v1": 0.8}}')

    write.__name__ = f"conversations_{said}"
    return write


def applied(scene: Scene) -> None:
    assert scene.run("apply", "--auto-approve").code == 0


def broken(scene: Scene) -> None:
    scene.tree.replace("apps/help-desk/app.yaml", "displayName", "displayname")


def forbidden(scene: Scene) -> None:
    scene.service.break_with({"method": "ListApps", "status": {"code": "PERMISSION_DENIED"}, "times": 20})


def forbidden_to_write(scene: Scene) -> None:
    """Planned while reading was all that was asked for."""
    planned(scene)
    scene.service.break_with({"method": "CreateApp", "status": {"code": "PERMISSION_DENIED"}, "times": 20})


def without_credentials(scene: Scene) -> None:
    scene.monkeypatch.delenv("CES_EMULATOR_HOST")
    scene.tree.write("credentials.json", "{}")
    scene.monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", "credentials.json")


def interrupted(scene: Scene) -> None:
    """Ctrl-C while live is read."""

    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    scene.monkeypatch.setattr("cesplan.workflow.planning.read_live", stop)
    scene.monkeypatch.setattr("cesplan.workflow.reviewed.recheck", stop)


def interrupted_later(scene: Scene) -> None:
    planned(scene)
    interrupted(scene)


def two_environments(scene: Scene) -> None:
    scene.tree.replace("cesplan.yaml", "  prod:", "  dev: {}\n  prod:")


def two_environments_broken(scene: Scene) -> None:
    two_environments(scene)
    broken(scene)


def two_environments_forbidden(scene: Scene) -> None:
    two_environments(scene)
    forbidden(scene)


def planned_with_a_secret(scene: Scene) -> None:
    scene.tree.replace("cesplan.yaml", "environments:", "variables: {pin: {secret: true}}\nenvironments:")
    scene.tree.replace("apps/help-desk/app.yaml", "displayName", "description: ${pin}\ndisplayName")
    assert scene.run("plan", "--out", "plan.json", "--var", "pin=1234-5678").code == 0


def planned_half_wrong(scene: Scene) -> None:
    """One of the writes will be refused by the service."""
    planned(scene)
    fault = {"method": "CreateGuardrail", "status": {"code": "INVALID_ARGUMENT"}, "times": 20}
    scene.service.break_with(fault)


def conflicting(scene: Scene) -> None:
    """Someone edits the only resource of the plan right before it is written."""
    applied(scene)
    scene.tree.write("apps/help-desk/agents/front-desk.md", "Help.\n")
    planned(scene)
    scene.service.break_with({"method": "UpdateAgent", "edit": {"body": {"instruction": "Mine."}}})


def conflicting_in_part(scene: Scene) -> None:
    """One of two."""
    applied(scene)
    scene.tree.replace("apps/help-desk/guardrails/no-cards.yaml", "No cards please.", "No.")
    scene.tree.write("apps/help-desk/agents/front-desk.md", "Help.\n")
    planned(scene)
    scene.service.break_with({"method": "UpdateAgent", "edit": {"body": {"instruction": "Mine."}}})


def broken_project(scene: Scene) -> None:
    scene.tree.write("cesplan.yaml", "cesplan: 2\n")


def unreachable(scene: Scene) -> None:
    scene.monkeypatch.setenv("CES_EMULATOR_HOST", "127.0.0.1:1")


def emptied(scene: Scene) -> None:
    """The only guardrail would go: the guard speaks."""
    applied(scene)
    scene.tree.replace("apps/help-desk/app.yaml", "guardrails: [no-cards]\n", "")
    scene.tree.remove("apps/help-desk/guardrails/no-cards.yaml")


def policed(severity: str) -> Callable[[Scene], None]:
    def policed(scene: Scene) -> None:
        scene.tree.replace("cesplan.yaml", "environments:", RULE.format(severity=severity) + "environments:")
        scene.tree.replace("apps/help-desk/guardrails/no-cards.yaml", "enabled: true", "enabled: false")

    return policed


def cases(expected: str) -> Callable[[Scene], None]:
    def cases(scene: Scene) -> None:
        policed("deny")(scene)
        scene.tree.write("policy_test.yaml", CASE.replace("EXPECTED", expected))

    return cases


def half_wrong(scene: Scene) -> None:
    """One resource is refused by the service, the others are not."""
    scene.tree.write("apps/help-desk/deployments/web-chat.yaml", DEPLOYMENT)


def edited_meanwhile(scene: Scene) -> None:
    """Someone edits what the plan is about to write, while the question is open."""
    applied(scene)
    scene.tree.write("apps/help-desk/agents/front-desk.md", "Help.\n")
    scene.monkeypatch.setattr("cesplan.cli.commands.apply.confirm", lambda *_: edit(scene))


def edit(scene: Scene) -> None:
    rows = scene.service.store.children(APP, "agents")
    (row,) = [row for row in rows if row.name.endswith("/front-desk")]
    scene.service.seed({**row.body, "name": row.name, "instruction": "Edited in the console."})


def edited_live(scene: Scene) -> None:
    applied(scene)
    edit(scene)


def declined(scene: Scene) -> None:
    scene.monkeypatch.setattr("cesplan.cli.console.Console.can_ask", True)
    scene.monkeypatch.setattr("cesplan.cli.console.Console.ask", lambda *_: "no")


def planned(scene: Scene) -> None:
    assert scene.run("plan", "--out", "plan.json").code == 0


def planned_with_a_policy(scene: Scene) -> None:
    policed("needs-approval")(scene)
    planned(scene)


def stale(scene: Scene) -> None:
    applied(scene)
    scene.tree.write("apps/help-desk/agents/front-desk.md", "Help.\n")
    planned(scene)
    edit(scene)


def tampered(scene: Scene) -> None:
    planned(scene)
    scene.tree.replace("plan.json", "Help desk", "Held desk")
