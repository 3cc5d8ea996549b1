"""Transfer conditions in Python."""

from cesplan.config.checks.transfer_conditions import check_transfer_conditions
from cesplan.config.manifest import AppTree
from tests.unit.config.checks.builders import Included, app, found


def _rule(code: str) -> AppTree:
    condition = {"deterministicTransfer": {"pythonCodeCondition": {"pythonCode": Included(code)}}}
    return app(agents={"a": {"transferRules": [condition]}})


PATH = "agents/a transferRules[0].deterministicTransfer.pythonCodeCondition.pythonCode"


def test_the_documented_function_passes() -> None:
    """Its name and parameter are those that Google's Terraform provider documents."""
    code = "def should_trigger_transfer_callback(callback_context: CallbackContext) -> bool:\n    return True\n"

    assert found(check_transfer_conditions, _rule(code)) == []


def test_another_name_or_other_parameters_are_a_warning() -> None:
    """The place is the function that is meant, else the first line."""
    assert found(check_transfer_conditions, _rule("def should_transfer(callback_context): ...\n")) == [
        f"CES048 {PATH}@1:5+15: the function `should_trigger_transfer_callback` is missing"
    ]
    assert found(check_transfer_conditions, _rule("def should_trigger_transfer_callback(): ...\n")) == [
        f"CES048 {PATH}@1:5+32: `should_trigger_transfer_callback` takes () instead of (callback_context)"
    ]
    assert found(check_transfer_conditions, _rule("True\n")) == [
        f"CES048 {PATH}@1:1+1: the function `should_trigger_transfer_callback` is missing"
    ]


def test_what_does_not_parse_is_another_findings_business() -> None:
    """A syntax error is reported once, by CES040."""
    assert found(check_transfer_conditions, _rule("return True)")) == []
