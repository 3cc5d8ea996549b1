"""The functions that callbacks must define."""

import pytest

from cesplan.config.checks.callbacks import check_callbacks
from cesplan.config.codes import CODES
from cesplan.domain.diagnostic import Severity
from tests.unit.config.checks.builders import Included, app, found, suggestions


@pytest.mark.parametrize(
    ("field", "signature"),
    [
        ("beforeAgentCallbacks", "before_agent_callback(callback_context)"),
        ("afterAgentCallbacks", "after_agent_callback(callback_context: CallbackContext)"),
        ("beforeModelCallbacks", "before_model_callback(callback_context, llm_request)"),
        ("afterModelCallbacks", "after_model_callback(callback_context, llm_response) -> LlmResponse"),
        ("beforeToolCallbacks", "before_tool_callback(tool, input, callback_context)"),
        ("afterToolCallbacks", "after_tool_callback(tool, input, callback_context, tool_response)"),
    ],
)
def test_each_list_has_its_function(field: str, signature: str) -> None:
    """Names and parameters as the service asks for them pass; annotations are free."""
    code = f"import re\n\n\ndef helper(): ...\n\n\ndef {signature}:\n    return None\n"

    assert found(check_callbacks, app(agents={"a": {field: [{"pythonCode": code}]}})) == []


def test_a_missing_function_is_an_error_at_the_nearest_one() -> None:
    """The likely slip is pointed at, with the right name."""
    code = "import re\n\ndef before_agents_callback(callback_context):\n    return None\n"
    tree = app(agents={"a": {"beforeAgentCallbacks": [{"pythonCode": Included(code)}]}})

    assert found(check_callbacks, tree) == [
        (
            "CES041 agents/a beforeAgentCallbacks[0].pythonCode@3:5+22: "
            "the function `before_agent_callback` is missing"
        )
    ]
    assert suggestions(check_callbacks, tree) == ["before_agent_callback"]


def test_a_callback_without_any_function_is_shown_at_its_beginning() -> None:
    """There is no better place than the first line."""
    tree = app(agents={"a": {"afterModelCallbacks": [None, {"pythonCode": Included("x = 1\n")}]}})

    assert found(check_callbacks, tree) == [
        (
            "CES041 agents/a afterModelCallbacks[1].pythonCode@1:1+1: "
            "the function `after_model_callback` is missing"
        )
    ]


@pytest.mark.parametrize(
    ("parameters", "shown"),
    [
        ("ctx, llm_request", "ctx, llm_request"),
        ("llm_request, callback_context", "llm_request, callback_context"),
        ("callback_context", "callback_context"),
        ("callback_context, llm_request, **kwargs", "callback_context, llm_request, **kwargs"),
        ("*args", "*args"),
        ("callback_context, llm_request, more=None", "callback_context, llm_request, more"),
    ],
)
def test_parameters_are_exact(parameters: str, shown: str) -> None:
    """Another name, another order, one too few and one too many are all refused."""
    code = f"def before_model_callback({parameters}):\n    return None\n"
    tree = app(agents={"a": {"beforeModelCallbacks": [{"pythonCode": code}]}})

    assert found(check_callbacks, tree) == [
        (
            f"CES041 agents/a beforeModelCallbacks[0].pythonCode: `before_model_callback` takes ({shown}) "
            "instead of (callback_context, llm_request)"
        )
    ]


def test_the_parameter_of_published_samples_is_a_warning() -> None:
    """Google's own samples call it `tool_input`; whether the service takes it is not established."""
    code = "def after_tool_callback(tool, tool_input, callback_context, tool_response): ...\n"
    tree = app(agents={"a": {"afterToolCallbacks": [{"pythonCode": code}]}})

    assert [line[:37] for line in found(check_callbacks, tree)] == ["CES043 agents/a afterToolCallbacks[0]"]
    assert CODES["CES043"].severity is Severity.WARNING


def test_the_last_definition_counts() -> None:
    """As in Python, a later function of the same name replaces an earlier one."""
    code = "def before_agent_callback(): ...\ndef before_agent_callback(callback_context): ...\n"

    assert found(check_callbacks, app(agents={"a": {"beforeAgentCallbacks": [{"pythonCode": code}]}})) == []


def test_what_does_not_parse_is_another_findings_business() -> None:
    """A syntax error is reported once, by CES040."""
    assert found(check_callbacks, app(agents={"a": {"beforeAgentCallbacks": [{"pythonCode": "def"}]}})) == []


def test_guardrails_need_the_name_and_are_warned_of_parameters() -> None:
    """Guardrails are laxer: another name is an error, other parameters a warning."""
    callbacks = {
        "beforeAgentCallback": {"pythonCode": "def check(callback_context): ...\n"},
        "afterModelCallback": {"pythonCode": "def after_model_callback(context, response): ...\n"},
        "beforeModelCallback": {
            "pythonCode": "def before_model_callback(callback_context, llm_request): ...\n"
        },
    }

    assert found(check_callbacks, app(guardrails={"g": {"codeCallback": callbacks}})) == [
        (
            "CES042 guardrails/g codeCallback.beforeAgentCallback.pythonCode: "
            "the function `before_agent_callback` is missing"
        ),
        (
            "CES043 guardrails/g codeCallback.afterModelCallback.pythonCode: `after_model_callback` takes "
            "(context, response) instead of (callback_context, llm_response)"
        ),
    ]


def test_proactive_execution_belongs_to_callbacks_after_the_model() -> None:
    """Elsewhere it does nothing; false is not a claim."""
    tree = app(
        agents={
            "a": {
                "afterModelCallbacks": [{"proactiveExecutionEnabled": True}],
                "beforeToolCallbacks": [{"proactiveExecutionEnabled": True}],
                "afterToolCallbacks": [{"proactiveExecutionEnabled": False}],
            }
        },
        guardrails={"g": {"codeCallback": {"beforeModelCallback": {"proactiveExecutionEnabled": True}}}},
    )

    assert found(check_callbacks, tree) == [
        (
            "CES049 agents/a beforeToolCallbacks[0].proactiveExecutionEnabled: "
            "`proactiveExecutionEnabled` has no effect here"
        ),
        (
            "CES049 guardrails/g codeCallback.beforeModelCallback.proactiveExecutionEnabled: "
            "`proactiveExecutionEnabled` has no effect here"
        ),
    ]
