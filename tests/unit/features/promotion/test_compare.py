"""Two environments of one tree side by side: what counts as a difference, and what is not an one's business."""

from typing import Any

from cesplan.domain.desired import Desired
from cesplan.domain.live import Live
from cesplan.domain.value import Secret
from cesplan.features.promotion.compare import State, differences, redactor_for
from cesplan.features.promotion.compare import desired_state as state_of_tree
from cesplan.features.promotion.compare import live_state as state_of_live
from tests.unit.engine.builders import desired, live

KEY = "key-0123456789"


def desired_state(tree: Desired) -> State:
    return state_of_tree(tree, redactor_for(tree))


def live_state(tree: Desired, found: Live) -> State:
    return state_of_live(tree, found, redactor_for(tree))


def told(source: State, target: State) -> list[str]:
    """`address path: before → after`, or the address and who has it."""
    found: list[str] = []
    for item in differences(source, target)[0]:
        where = item.address.within_app
        found += [f"{where} {change.path}: {change.before} → {change.after}" for change in item.changes]
        found += [] if item.changes else [f"{where} only in {item.presence}"]
    return found


def tool(url: str, secret: str = KEY) -> dict[str, Any]:
    """A tool whose schema is a text around a secret."""
    text = Secret(("key",), f"{url}/{secret}", f"{url}/${{key}}")
    return {"tools/carrier": {"openApiTool": {"openApiSchema": text}}}


def test_a_text_around_a_secret_is_compared_as_the_tree_writes_it() -> None:
    """The variable is the same in both, so what differs beside it can be read; the secret cannot."""
    one, other = desired_state(desired(tool("https://dev"))), desired_state(desired(tool("https://prod")))
    assert told(one, other) == [
        "tools/carrier openApiTool.openApiSchema: https://dev/${key} → https://prod/${key}"
    ]


def test_the_value_of_a_secret_is_no_difference_between_trees() -> None:
    """Each environment has its own; that both take it from the same variable is what the tree says."""
    one, other = desired_state(desired(tool("https://x"))), desired_state(desired(tool("https://x", "other")))
    assert differences(one, other) == ((), 2)


def test_a_secret_in_clear_beside_its_variable_is_hidden() -> None:
    text = Secret(("key",), f"{KEY} and {KEY}", f"${{key}} and {KEY}")
    tree = desired({"agents/front-desk": {"instruction": text}})
    (found,) = told(desired_state(tree), desired_state(desired({"agents/front-desk": {"instruction": "x"}})))
    assert KEY not in found


def test_what_is_secret_in_one_environment_is_hidden_in_both() -> None:
    """The same variable, secret in one alone: the command was given one value for both."""
    one = desired({"agents/front-desk": {"instruction": f"Say {KEY}."}})
    other = desired({"agents/front-desk": {"instruction": Secret(("key",), f"Say {KEY}.", "Say ${key}.")}})
    redactor = redactor_for(one, other)
    (found,) = told(state_of_tree(one, redactor), state_of_tree(other, redactor))
    assert KEY not in found


def test_live_texts_around_a_secret_are_compared_and_hidden() -> None:
    """What is around it live may be anyone's."""
    tree = desired(tool("https://x"))
    states = [
        live_state(tree, live({"tools/carrier": {"openApiTool": {"openApiSchema": f"https://{host}/{KEY}"}}}))
        for host in ("dev", "prod")
    ]
    assert told(*states) == ["tools/carrier openApiTool.openApiSchema: (secret key) → (secret key)"]


def test_a_version_of_the_tree_counts_though_nothing_live_names_it() -> None:
    """A version that is neither in the tree nor deployed is history."""
    tree = desired({"versions/release-1": {"displayName": "One"}})
    versions = {"versions/release-1": {"displayName": "One"}, "versions/older": {"displayName": "Old"}}
    deployed = {**versions, "deployments/web-chat": {"appVersion": "versions/release-1"}}
    assert told(live_state(tree, live(versions)), live_state(tree, live(deployed))) == [
        "deployments/web-chat only in target"
    ]
