"""
The language of policy rules: CEL, and what a rule knows about an operation. Rules are compiled and type-checked
when they are read, and evaluated when plans are checked; both see the same names. CEL:
https://github.com/google/cel-spec, with the library of its authors.
"""

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

from cesplan.domain.errors import Extra, InvalidConfiguration
from cesplan.domain.frozen import dataclass
from cesplan.features.policy.cost import MOST_WORK, Size, Sizes, TooCostly, cost, size_of, usual_cost

SUBJECT: Mapping[str, str] = {
    "address": "string",
    "app": "string",
    "kind": "string",
    "key": "string",
    "action": "string",
    "reason": "string",
    "origin": "string",
    "author": "string",
    "live_edit_time": "string",
    "weakens": "list<dyn>",
    "used_by": "list<string>",
    "impact": "dyn",
    "environment": "string",
    "project": "string",
    "location": "string",
    "display_name": "string",
    "file": "string",
    "mask": "list<string>",
    "before": "dyn",
    "after": "dyn",
    "changes": "list<dyn>",
    "plan": "dyn",
    "runs": "list<dyn>",
    "release": "dyn",
}
"""
The names in rules, with their types.

`before` and `after` are the whole resource under the API's names (null: absent); `changes` are its leaves, each
with `path`, `action`, `before`, `after`, and `mask`; `weakens` are the ways in which protection is weakened,
each with `code`, `path`, and `text`; `used_by` are the addresses that refer to it; `impact` is what it reaches,
as in the JSON of a plan; `plan` has the numbers of the whole plan, `create`, `update`, and `delete`, and the
same by kind in `kinds`. `runs` are evaluation runs of the app, newest first, and are read only if a rule names
them. `release` is the evidence of the deployment's release: `name`, `action`, `verdict`, `version`, and `age`;
NO_RELEASE if no release names it.
"""

NO_RELEASE: Mapping[str, object] = {"name": "", "action": "", "verdict": "none", "version": "", "age": -1}
"""The value for an operation outside any release."""

MESSAGE_NAMES = tuple(name for name, type_ in SUBJECT.items() if type_ == "string")
"""The names that a message may use in braces."""

LONGEST_CONDITION = 10_000
"""Characters; no person writes a longer one."""
MOST_CONDITIONS = 200_000
"""Characters of all conditions of a policy: reading them takes some three seconds."""
MOST_RULES = 500
LONGEST_MESSAGE = 1_000
"""Characters of a message, and of a name that it quotes."""

_TOO_MUCH = (
    "it may take too much work or memory, even for a small resource: use fewer nested `replace`, `map`, `+`,"
    " `join`, and lists"
)
_PLACE = re.compile(r"<input>:(\d+):(\d+): (?P<said>[^\n]*)")
_EXPECTING = re.compile(r" expecting \{.*")
_STATUS = re.compile(r"^[A-Z_]+: |\s*\[[A-Z_]+\]$")


@dataclass(kw_only=True, eq=False)
class ExpressionError(Exception):
    """An expression that is not CEL, or makes no sense: where (from 1, inside the expression) and why."""

    line: int
    column: int
    text: str


class Undecided(Exception):
    """An expression has no value for an operation: a field that is not there, or values that do not compare."""


@dataclass(frozen=True, slots=True, eq=False)
class Expression:
    """A compiled condition. `checked` is it as protobuf, for the bound of its cost."""

    compiled: Any
    names: frozenset[str]
    checked: bytes

    def sizes(self, subject: Mapping[str, Size]) -> Sizes:
        """The sizes of the names that it uses."""
        return tuple((name, subject[name]) for name in sorted(self.names & subject.keys()))

    def holds(self, subject: Mapping[str, Any], work: int | None = None) -> bool:
        """Whether it is true of an operation; `work` is the bound of its cost, if known. Raises Undecided."""
        work = cost(self.checked, self.sizes(sizes_of(subject))) if work is None else work
        if work > MOST_WORK:
            raise Undecided("with a resource this large, it takes too much work or memory")
        try:
            value = self.compiled.eval(
                data={name: item for name, item in subject.items() if name in self.names}
            )
        except RuntimeError as error:
            # The library's own limit, for conditions that walk lists inside of lists.
            raise Undecided(_STATUS.sub("", str(error))) from error
        found = value.plain_value() if value.type().name() != "error" else value.value()
        if isinstance(found, bool):
            return found
        raise Undecided(_STATUS.sub("", str(found)))


def sizes_of(subject: Mapping[str, Any]) -> dict[str, Size]:
    """The size of everything that rules know of an operation."""
    return {name: size_of(item).rounded() for name, item in subject.items()}


@lru_cache(maxsize=2_000)  # once for reading, once for evaluating
def compile_expression(text: str) -> Expression:
    """
    Read a condition.

    Raises ExpressionError for what is not CEL, or can be neither true nor false; InvalidConfiguration where
    the library of CEL is not installed.
    """
    if len(text) > LONGEST_CONDITION:
        raise ExpressionError(line=1, column=1, text=f"it is longer than {LONGEST_CONDITION:,} characters")
    cel, environment = _cel()
    try:
        compiled = environment.compile(text)
    except RuntimeError as error:
        raise _translated(str(error)) from error
    type_ = compiled.return_type()
    if type_ not in (cel.Type.BOOL, cel.Type.DYN):
        problem = f"it must be true or false, but this is {type_.name().lower()}"
        raise ExpressionError(line=1, column=1, text=problem)
    checked = compiled.serialize()
    names = frozenset(SUBJECT) & _names(text)
    try:
        usual = usual_cost(checked, names)
    except TooCostly as error:
        raise ExpressionError(line=1, column=1, text=str(error)) from error
    if usual > MOST_WORK:
        raise ExpressionError(line=1, column=1, text=_TOO_MUCH)
    return Expression(compiled, names, checked)


def _translated(text: str) -> ExpressionError:
    """The first thing that is wrong; the library's message has it as `<input>:line:column: what`."""
    found = _PLACE.search(text)
    if found is None:
        return ExpressionError(line=1, column=1, text=_STATUS.sub("", text.split("\n")[0]))
    message = (
        _EXPECTING.sub("", _STATUS.sub("", found["said"]))
        .removeprefix("Syntax error: ")
        .replace(" (in container '')", "")
    )
    return ExpressionError(line=int(found[1]), column=int(found[2]), text=message)


def names_runs(text: str) -> bool:
    """Whether an expression may read evaluation runs."""
    return "runs" in _names(text)


@cache
def _names(text: str) -> frozenset[str]:
    """The words of an expression: only these names must be passed to it."""
    return frozenset(re.findall(r"[A-Za-z_]+", text))


@cache
def _cel() -> tuple[Any, Any]:
    """
    The library and the names of rules, imported when a tree has a policy. Raises InvalidConfiguration if it is
    not installed.
    """
    try:
        from cel_expr_python import cel
        from cel_expr_python.ext import ext_optional, ext_strings
    except ModuleNotFoundError as error:
        raise InvalidConfiguration(
            summary="policy rules need the package cel-expr-python, which is not installed",
            detail=Extra.POLICY.advice,
        ) from error

    types = {
        "string": cel.Type.STRING,
        "dyn": cel.Type.DYN,
        "list<string>": cel.Type.List(cel.Type.STRING),
        "list<dyn>": cel.Type.List(cel.Type.DYN),
    }
    extensions = [ext_optional.ExtOptional(), ext_strings.ExtStrings()]
    variables = {name: types[type_] for name, type_ in SUBJECT.items()}
    return cel, cel.NewEnv(variables=variables, extensions=extensions)
