"""What was asked is compared with the answer; what was not asked is not."""

from typing import Any

from cesplan.domain.field_path import mask_path
from cesplan.domain.plan import Action
from cesplan.engine.comparing.convergence import not_converged, shortfalls
from tests.unit.engine.applying.test_verify import target
from tests.unit.engine.plans import create, step, update


def short(kind: str, asked: dict[str, Any], answer: dict[str, Any], *mask: str) -> tuple[str, ...]:
    return shortfalls(target(kind), asked, answer, [*map(mask_path, mask)])


def test_an_answer_that_says_more_than_was_asked_has_taken_it() -> None:
    answer = {"displayName": "Desk", "modelSettings": {"model": "m-2"}, "etag": "1"}
    assert short("agents", {"displayName": "Desk"}, answer) == ()


def test_fields_that_did_not_take_are_named() -> None:
    asked = {"displayName": "Desk", "modelSettings": {"model": "m-1", "temperature": 0.5}}
    answer = {"displayName": "Desk", "modelSettings": {"model": "m-2"}}
    assert short("agents", asked, answer) == ("modelSettings.model", "modelSettings.temperature")


def test_a_field_that_was_to_be_cleared_and_is_still_there_did_not_take() -> None:
    answer = {"instruction": "still", "description": "other"}
    assert short("agents", {}, answer, "instruction") == ("instruction",)
    barge_in = "audioProcessingConfig.bargeInConfig"
    live = {"audioProcessingConfig": {"bargeInConfig": {"bargeInAwareness": True}}}
    assert short("apps", {}, live, barge_in) == (f"{barge_in}.bargeInAwareness",)


def test_nothing_outside_the_mask_counts() -> None:
    asked = {"instruction": "new", "description": "was"}
    assert short("agents", asked, {"instruction": "new", "description": "edited"}, "instruction") == ()


def test_fields_newer_than_the_models_are_looked_at_too() -> None:
    assert short("agents", {"novelty": {"a": 1}}, {"novelty": {"a": 1.0}}) == ()
    assert short("agents", {"novelty": {"a": 1}}, {}) == ("novelty",)


def test_a_create_in_two_steps_is_judged_by_its_last_answer() -> None:
    link = step("agents/one:link", Action.UPDATE, {"childAgents": ["agents/two"]}, "childAgents")
    operation = create("agents/one", {"displayName": "One"}, link=link)
    taken = {"displayName": "One", "childAgents": ["agents/two"]}
    assert not_converged(target("agents"), operation, taken) == ()
    assert not_converged(target("agents"), operation, {"displayName": "One"}) == ("childAgents",)


def test_an_update_is_judged_at_its_mask() -> None:
    seen = {"displayName": "One", "instruction": "old"}
    operation = update("agents/one", seen, {"instruction": "new"}, "instruction")
    assert not_converged(target("agents"), operation, {"displayName": "Two", "instruction": "new"}) == ()
    assert not_converged(target("agents"), operation, {"instruction": "newer"}) == ("instruction",)
