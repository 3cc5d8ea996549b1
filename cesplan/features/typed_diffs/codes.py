"""
The rules of typed diffs: a code that never changes, and a page that explains it.

`OAS` codes are about OpenAPI documents, `JSC` about the schemas of tools and variables, `PYD` about Python,
`INS` about instructions. The rules about schemas are the same in OpenAPI and elsewhere, under one number. A
rule is breaking from the viewpoint of the agent that calls the operations: its instructions, examples, and
evaluations were written for the previous document.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from cesplan.domain.diagnostic import Code, Severity

OPEN_API, JSON_SCHEMA = "OAS", "JSC"
"""The code prefixes of rules about OpenAPI documents, and about schemas elsewhere."""

_OF_SCHEMAS = """
**Where.** In the schemas of tools and variables, a *request* is what the agent fills in (`parameters`,
`inputSchema`), and a *response* is what it reads (`response`, `outputSchema`). A schema that is written and
read, such as that of a variable, is judged as both.
"""

_BREAKING = """\
OAS001 operation removed
    The tool that the service made of the operation is gone. Remove it from `toolIds`, instructions,
    examples, and evaluations first.
OAS003 operationId changed
    The operationId names the tool. Agents, instructions, and evaluations that mention the tool by its
    former name no longer find it.
OAS010 required parameter added
    Calls without the parameter are refused, and expected calls of evaluations lack it. Make it
    optional, or give it a default.
OAS012 parameter removed
    The API ignores or refuses the argument that the agent was told to send. Remove it from instructions
    and expected calls.
OAS013 parameter became required
    Calls that left the parameter out are refused.
OAS020 required request body added
    Calls without a body are refused.
OAS022 request body removed
    What the agent sends in the body no longer reaches the API.
OAS023 request body became required
    Calls without a body are refused.
OAS025 request media type removed
    Calls in that media type are refused.
OAS030 required request property added
    Calls without the property are refused.
OAS032 request property removed
    The API ignores or refuses the property that the agent was told to send.
OAS033 request property became required
    Calls that left the property out are refused.
OAS035 request type changed
    Values of the former type are refused. Only integer to number and the removal of a type are wider
    and safe.
OAS037 request enum value removed
    Calls with the value are refused.
OAS039 request limit tightened
    Values that were accepted may be refused: a minimum was raised, a maximum lowered, or a pattern or
    format set or changed.
OAS043 request alternative removed
    A shape of `anyOf` is gone: values of that shape are refused.
OAS045 undeclared request properties refused
    `additionalProperties` was closed or narrowed: properties that were accepted may be refused.
OAS050 success response removed
    The status code with which a call succeeded is gone.
OAS052 response media type removed
    Answers in that media type no longer come.
OAS054 response property removed
    Instructions and code that read the property find nothing.
OAS056 response property became optional
    Instructions and code that rely on the property may find nothing.
OAS058 response type changed
    Instructions and code that read the value find another type.
OAS060 response enum value added
    The answer may hold a value that instructions and code do not know.
OAS064 response alternative added
    `anyOf` has a shape more: the answer may have one that instructions and code do not know.
OAS066 undeclared response properties widened
    `additionalProperties` no longer says what else the answer holds.
OAS070 server removed or changed
    Calls, with their credentials, go to another address.
OAS072 authentication required
    Calls without the credentials that are now required are refused.
OAS074 way to authenticate removed
    Calls that authenticate in the former way are refused.
OAS098 part that no rule knows
    The document differs in a part that cesplan has no rule for, such as `allOf`, `not`, or `style`.
    It counts as breaking until a person has looked.
"""

_SAFE = """\
OAS002 operation added
    The service makes a tool of it. Agents with the whole toolset get it too.
OAS011 optional parameter added
    Calls without the parameter are as good as before.
OAS014 parameter became optional
    Calls with the parameter are as good as before.
OAS021 optional request body added
    Calls without a body are as good as before.
OAS024 request body became optional
    Calls with a body are as good as before.
OAS026 request media type added
    The former media types are still accepted.
OAS031 optional request property added
    Calls without the property are as good as before.
OAS034 request property became optional
    Calls with the property are as good as before.
OAS036 request type widened
    Values of the former type are still accepted.
OAS038 request enum value added
    The former values are still accepted.
OAS040 request limit loosened
    Values that were accepted still are.
OAS042 request alternative added
    `anyOf` has a shape more: the former ones are still accepted.
OAS044 undeclared request properties accepted
    `additionalProperties` was opened or widened.
OAS051 response added or removed
    A status code other than that of a success came or went, or a success was added.
OAS053 response media type added
    The former media types still come.
OAS055 response property added
    The answer holds more than before.
OAS057 response property became required
    The property is always there now.
OAS059 response type narrowed
    The answer holds a type that was allowed before.
OAS061 response enum value removed
    The answer holds fewer values than before.
OAS062 response limit changed
    The bounds of a value in the answer changed.
OAS065 response alternative removed
    A shape of `anyOf` no longer comes.
OAS067 undeclared response properties changed
    `additionalProperties` says more precisely, or for the first time, what else the answer holds.
OAS071 server added
    The servers that were there still are.
OAS073 authentication no longer required
    Calls need fewer credentials than before. Check that the API is meant to be open.
OAS075 way to authenticate added
    The former ways are still accepted.
OAS080 deprecation
    An operation or parameter was marked as deprecated, or no longer is.
OAS090 text for the model
    Descriptions, summaries, titles, or examples changed. The model decides by them when and how it calls
    the tool: read them.
PYD001 function or class removed
    Code that calls it fails.
PYD002 function or class added
    New code that nothing may call yet.
PYD003 another kind of definition
    A function became a class, or became asynchronous, or the reverse.
PYD004 signature changed
    Names, order, defaults, or annotations of parameters, or the annotation of the result. The parameters
    of the main function are the arguments that the model fills in.
PYD005 body changed
    The statements of a function or class differ in their syntax trees.
PYD006 docstring changed
    A docstring counts as meaning: that of the main function describes the tool to the model.
PYD007 code outside functions changed
    Imports, constants, and other statements of the module.
INS001 mention removed
    An instruction no longer mentions a tool, agent, or variable: the model is no longer told to use it
    there.
INS002 mention added
    An instruction mentions a tool, agent, or variable that it did not mention.
INS003 section touched
    Lines under a heading, or inside a tag such as `<role>`, came, went, or changed.
"""

_SCHEMA_NUMBERS = frozenset({*range(30, 46), *range(54, 68), 90, 98})
"""The rules about the shape of a value, which OpenAPI shares with the schemas of tools and variables."""
_ENTRY = re.compile(r"^([A-Z]{3}[0-9]{3}) (.*)\n((?:    .*\n)+)", re.MULTILINE)


def _codes(table: str, severity: Severity, more: str) -> Iterator[Code]:
    """The entries of a table: a code and its title, and below them its page."""
    for code, title, text in _ENTRY.findall(table):
        page = "\n".join(row.strip() for row in text.splitlines())
        rule = Code(code=code, title=title, severity=severity, page=f"{page}\n\n{more}\n")
        yield rule
        if code.startswith(OPEN_API) and int(code[3:]) in _SCHEMA_NUMBERS:
            yield replace(rule, code=f"{JSON_SCHEMA}{code[3:]}", page=rule.page + _OF_SCHEMAS)


RULES: Mapping[str, Code] = {
    rule.code: rule
    for rule in (
        *_codes(_BREAKING, Severity.WARNING, "**Effect.** Breaking for the agent that calls it."),
        *_codes(_SAFE, Severity.NOTICE, "**Effect.** Not breaking."),
    )
}


def is_breaking(code: str) -> bool:
    """Whether a rule is breaking."""
    return RULES[code].severity is Severity.WARNING
