"""
A plan reads like Terraform's: policies written for its JSON, run by a real Rego engine.

Each policy uses only what Terraform documents of `resource_changes`: `address`, `type`, `name`,
`change.actions`, `change.before`, `change.after`, `change.after_sensitive` and `action_reason`.
"""

import json
import subprocess
import sys
from importlib.util import find_spec
from typing import Any

import pytest

from cesplan.domain.reviewed import Reviewed
from cesplan.render.machine.formats.plan import PlanReport
from cesplan.render.machine.plan_file import plan_file_text
from tests.unit.render.builders import MIXED, change, plan, update

pytestmark = pytest.mark.skipif(find_spec("regopy") is None, reason="no Rego engine on this platform")

ENGINE = """
import json, sys
from regopy import Interpreter

asked = json.load(sys.stdin)
engine = Interpreter()
engine.add_module("policy", asked["policy"])
engine.set_input(asked["input"])
print(engine.query(asked["query"]))
"""
"""Runs in a process of its own: its C++ runtime and that of the CEL library do not get along in one."""

POLICY = """
package main

import rego.v1

deny contains message if {
    some change in input.resource_changes
    "delete" in change.change.actions
    change.type == "guardrails"
    message := sprintf("%s: a guardrail may not be deleted", [change.address])
}

deny contains message if {
    some change in input.resource_changes
    change.type == "guardrails"
    change.change.before.enabled
    not change.change.after.enabled
    message := sprintf("%s: a guardrail may not be disabled", [change.address])
}

deny contains message if {
    some change in input.resource_changes
    some action in change.change.actions
    action != "delete"
    change.change.after.modelSettings.temperature > 1
    message := sprintf("%s: too inventive", [change.name])
}

sensitive contains change.address if {
    some change in input.resource_changes
    walk(change.change.after_sensitive, [_, value])
    value == true
}

weight := sum([points |
    some change in input.resource_changes
    some action in change.change.actions
    points := {"create": 1, "update": 2, "delete": 10, "no-op": 0}[action]
])

known_reasons if {
    every change in input.resource_changes {
        change.action_reason in {"not_in_live", "not_in_tree", "field_changed", "id_changed", "locked", "stamp"}
    }
}
"""


def _asked(document: str, query: str) -> Any:
    asked = {"policy": POLICY, "input": json.loads(document), "query": f"data.main.{query}"}
    done = subprocess.run(
        [sys.executable, "-c", ENGINE],
        input=json.dumps(asked),
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=60,
    )
    (answer,) = json.loads(done.stdout)["expressions"]
    return answer


DOCUMENTS = pytest.mark.parametrize(
    "document", [PlanReport.of(MIXED).text(), plan_file_text(Reviewed(plan=MIXED))], ids=["report", "file"]
)


@DOCUMENTS
def test_a_policy_for_terraform_reads_a_plan(document: str) -> None:
    """The report and the file that is applied say the same."""
    assert _asked(document, "deny") == ["support-desk/guardrails/old-words: a guardrail may not be deleted"]
    assert _asked(document, "known_reasons") is True


@DOCUMENTS
def test_actions_can_be_weighed(document: str) -> None:
    """Every change has one action, in Terraform's words."""
    expected = sum({"create": 1, "update": 2, "delete": 10}[item.action] for item in MIXED.operations)
    assert _asked(document, "weight") == expected


@DOCUMENTS
def test_what_is_sensitive_is_marked_as_terraform_does(document: str) -> None:
    assert _asked(document, "sensitive") == ["support-desk/toolsets/crm"]


def test_before_and_after_can_be_compared() -> None:
    """A guardrail that is switched off, and a temperature."""
    rail = update(
        "shop/guardrails/pii",
        change("enabled", True, None),
        before={"enabled": True},
        after={"displayName": "PII"},
    )
    agent = update(
        "shop/agents/desk",
        change("modelSettings.temperature", 0.5, 1.5),
        before={"modelSettings": {"temperature": 0.5}},
        after={"modelSettings": {"temperature": 1.5}},
    )
    assert sorted(_asked(PlanReport.of(plan(rail, agent)).text(), "deny")) == [
        "desk: too inventive",
        "shop/guardrails/pii: a guardrail may not be disabled",
    ]
