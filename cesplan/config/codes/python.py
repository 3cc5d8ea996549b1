"""Codes of Python texts: CES040 to CES049."""

from cesplan.config.codes.code import Code
from cesplan.domain.diagnostic import Severity

PYTHON_CODES = (
    Code(
        code="CES040",
        title="Python that does not parse",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
A callback, tool, fake or condition holds text that Python cannot read.

**Why.** Code runs on the server only when somebody talks to the agent. Before that nobody sees the
mistake: an import is known to leave out callbacks and tools with syntax errors, with no more than a
warning.

**What to do.** Mend the code at the place shown. It is read with the grammar of the Python that runs
cesplan; if the code uses newer syntax that the service understands, silence this code in the resource
file and say so.

```python
def lookup_order(order_number: str) -> dict
    return {}          # the line above lacks its colon
```
""",
    ),
    Code(
        code="CES041",
        title="callback of an agent without its function",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
The code under `beforeAgentCallbacks` and its five sisters must define one function of a fixed name that
takes fixed parameters:

| list | function |
|---|---|
| `beforeAgentCallbacks` | `before_agent_callback(callback_context)` |
| `afterAgentCallbacks` | `after_agent_callback(callback_context)` |
| `beforeModelCallbacks` | `before_model_callback(callback_context, llm_request)` |
| `afterModelCallbacks` | `after_model_callback(callback_context, llm_response)` |
| `beforeToolCallbacks` | `before_tool_callback(tool, input, callback_context)` |
| `afterToolCallbacks` | `after_tool_callback(tool, input, callback_context, tool_response)` |

**Why.** The service has been seen to refuse callbacks with another name or other parameters, and
imports to drop them. The reference of the API does not state it.

**What to do.** Rename the function, or move the callback to the list that it is written for. Further
functions, annotations, and the value that comes back are free.
""",
    ),
    Code(
        code="CES042",
        title="callback of a guardrail without its function",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
The code under `codeCallback` of a guardrail must define the function that the field is named for:
`beforeAgentCallback` calls `before_agent_callback`, and so on for `after_agent`, `before_model` and
`after_model`.

**Why.** A guardrail that is never called protects nobody, and nothing says so. What the service accepts
here was seen in exported apps; the reference states only what the function returns.

**What to do.**

```python
def before_agent_callback(callback_context):
    return {"decision": "OK", "reason": "nothing to object to"}
```
""",
    ),
    Code(
        code="CES043",
        title="callback with unusual parameters",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
The function of a callback has the right name, but not the parameters that are known to work: in a guardrail, or
with `tool_input` in an agent's `after_tool_callback`.

**Why.** The service is less strict with guardrails than with agents, so this may be on purpose. Samples that
Google publishes call the second parameter `tool_input`; whether the service takes that is not established. The
lists under CES041 are what is known to work.

**What to do.** Use those parameters, or silence this code in the file.
""",
    ),
    Code(
        code="CES044",
        title="Python tool without its function",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
`pythonFunction.name` must be a function at the top level of `pythonCode`, in the same spelling. Without
a name, the first function is taken, so there must be one.

**Why.** Stated in the reference of `PythonFunction`.

**What to do.** Write the name as the code does, or leave it out.

```yaml
pythonFunction:
  name: lookup_order
  pythonCode: {$file: lookup-order.py}      # holds `def lookup_order(...)`
```
""",
    ),
    Code(
        code="CES045",
        title="parameter of a tool that is lost",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
A function used as a tool takes `*args` or `**kwargs`, or has a parameter whose default is None.

**Why.** The parameters of the function become what the model may fill in. Other tools for this service
report that an import drops these without a word; the reference is silent.

**What to do.** Name every parameter, and use a default of its own type.

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

**Why.** `PythonFunction.description` cannot be set: the service takes it from the docstring (reference
of `PythonFunction`). The model decides by it when to call the tool, and with what.

**What to do.** Say what the function does, and what each argument is.
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

**Why.** Stated in the reference of `CodeBlock`. Where no fake answers, the real tool is called: an
evaluation that was meant to be harmless writes to a real back end.

**What to do.** Rename the function as shown.
""",
    ),
    Code(
        code="CES048",
        title="transfer condition without its function",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
The code of a `pythonCodeCondition` should define `should_trigger_transfer_callback(callback_context)`.

**Why.** Google's Terraform provider documents this name; the reference of the API says only that the
code is executed. That is why this is a warning.

**What to do.**

```python
def should_trigger_transfer_callback(callback_context):
    return callback_context.variables.get("handoff_reason") != ""
```
""",
    ),
    Code(
        code="CES049",
        title="proactive execution where it does nothing",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
`proactiveExecutionEnabled` stands on a callback that does not run after the model.

**Why.** The reference of `Callback` says that it affects callbacks after the model only.

**What to do.** Remove it, or move the callback to `afterModelCallbacks`.
""",
    ),
)
