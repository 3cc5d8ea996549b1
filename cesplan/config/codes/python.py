"""Codes of Python texts: CES040 to CES049."""

from cesplan.domain.diagnostic import Code, Severity

PYTHON_CODES = (
    Code(
        code="CES040",
        title="Python syntax error",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
A callback, tool, fake, or condition contains a Python syntax error.

**Why.** Code runs on the server only when a user talks to the agent. Before that, the error goes
unnoticed: imports drop callbacks and tools with syntax errors and only warn.

**What to do.** Fix the code at the position shown. cesplan parses it with the grammar of the Python that
runs cesplan. If the code uses newer syntax that the service supports, silence this code in the resource
file and give that as the reason.

```python
def lookup_order(order_number: str) -> dict
    return {}          # the line above is missing its colon
```
""",
    ),
    Code(
        code="CES041",
        title="agent callback without the required function",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
The code of each callback list of an agent must define a function with a fixed name and fixed parameters:

| list | function |
|---|---|
| `beforeAgentCallbacks` | `before_agent_callback(callback_context)` |
| `afterAgentCallbacks` | `after_agent_callback(callback_context)` |
| `beforeModelCallbacks` | `before_model_callback(callback_context, llm_request)` |
| `afterModelCallbacks` | `after_model_callback(callback_context, llm_response)` |
| `beforeToolCallbacks` | `before_tool_callback(tool, input, callback_context)` |
| `afterToolCallbacks` | `after_tool_callback(tool, input, callback_context, tool_response)` |

**Why.** The service has been observed to reject callbacks with another name or other parameters, and
imports to drop them. The API reference does not document it.

**What to do.** Rename the function, or move the callback to the list that it is written for. Additional
functions, annotations, and the return value are not restricted.
""",
    ),
    Code(
        code="CES042",
        title="guardrail callback without the required function",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
The code under `codeCallback` of a guardrail must define the function that the field is named after:
`beforeAgentCallback` calls `before_agent_callback`, and so on for `after_agent`, `before_model`, and
`after_model`.

**Why.** A guardrail that is never called has no effect, without any warning. The accepted names were
observed in exported apps; the API reference documents only the return value.

**What to do.**

```python
def before_agent_callback(callback_context):
    return {"decision": "OK", "reason": "no objection"}
```
""",
    ),
    Code(
        code="CES043",
        title="callback with unusual parameters",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
The function of a callback has the right name, but not the parameters that are known to work. This applies to
guardrails, and to `tool_input` in an agent's `after_tool_callback`.

**Why.** The service is less strict with guardrails than with agents, so this may be intentional. Samples that
Google publishes name the second parameter `tool_input`; whether the service accepts that is unverified. The
parameters listed under CES041 are known to work.

**What to do.** Use those parameters, or silence this code in the file.
""",
    ),
    Code(
        code="CES044",
        title="Python tool without the named function",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
`pythonFunction.name` must match the name of a top-level function in `pythonCode`. If `name` is absent,
the service uses the first function, so there must be one.

**Why.** The API reference of `PythonFunction` requires it.

**What to do.** Use the name of the function in the code, or remove the field.

```yaml
pythonFunction:
  name: lookup_order
  pythonCode: {$file: lookup-order.py}      # contains `def lookup_order(...)`
```
""",
    ),
    Code(
        code="CES045",
        title="tool parameter that imports drop",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
A function used as a tool takes `*args` or `**kwargs`, or has a parameter whose default is None.

**Why.** The model sees the parameters of the function as the inputs of the tool. Other tools for this
service report that an import silently drops these parameters; the API reference does not mention it.

**What to do.** Name every parameter, and use a default of the parameter's own type.

```python
def find_store(near: str, sku: str = "") -> dict:      # not: sku: str | None = None, **filters
```
""",
    ),
    Code(
        code="CES046",
        title="Python tool without a docstring",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
The function of a tool has no docstring.

**Why.** `PythonFunction.description` cannot be set: the service takes it from the docstring (API
reference of `PythonFunction`). The model uses it to decide when to call the tool and with which arguments.

**What to do.** Describe what the function does and what each argument means.
""",
    ),
    Code(
        code="CES047",
        title="fake that is never called",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
In fake mode the service calls `fake_tool_call(tool, input, callback_context)`, or `fake_<tool id>` with
the same parameters for one tool. The code defines neither, takes other parameters, or names an
operation that the toolset does not have.

**Why.** The API reference of `CodeBlock` documents it. If no fake matches, the service calls the real
tool: an evaluation that should be harmless writes to a real backend.

**What to do.** Rename the function as shown.
""",
    ),
    Code(
        code="CES048",
        title="transfer condition without the required function",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
The code of a `pythonCodeCondition` should define `should_trigger_transfer_callback(callback_context)`.

**Why.** Google's Terraform provider documents this name; the API reference says only that the code is
executed. That is why this is a warning.

**What to do.**

```python
def should_trigger_transfer_callback(callback_context):
    return callback_context.variables.get("handoff_reason") != ""
```
""",
    ),
    Code(
        code="CES049",
        title="proactive execution without effect",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
`proactiveExecutionEnabled` is set on a callback that does not run after the model.

**Why.** According to the API reference of `Callback`, it affects only callbacks that run after the model.

**What to do.** Remove it, or move the callback to `afterModelCallbacks`.
""",
    ),
)
