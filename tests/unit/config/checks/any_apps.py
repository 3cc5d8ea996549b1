"""
Any app: bodies that passed the walk along the schema, with odd texts, nulls and secrets.

Strategies are kept: one that is made for a draw is examined by Hypothesis for longer than it draws.
"""

from functools import cache
from typing import Any

from hypothesis import strategies as st

from cesplan.config.manifest import AppTree
from cesplan.domain.value import Secret
from cesplan.model.kinds import KINDS
from cesplan.model.scalars import Scalar
from cesplan.model.spec import Cardinality, FieldSpec, message_spec
from tests.unit.config.checks.builders import Included, app

_KINDS = ["agents", "tools", "toolsets", "guardrails", "deployments", "evaluations", "scheduledEvaluationRuns"]
ODD = ["", "{", "{@TOOL: }", "{@AGENT:x}{y}", "def f(*a, b=None): ...", "(?=a", "a", "a\nb", "/\n(?\n"]
DOCUMENT = "openapi: 3.0.3\npaths: {/a: {get: {}}}"
NAMES = ["agents/a", "tools/t", "toolsets/s", "versions/-", "#/defs/x"]
TEXTS = st.sampled_from([*ODD, DOCUMENT, *NAMES]) | st.text(max_size=8)
SECRETS = st.builds(Secret, variables=st.just(("v",)), text=TEXTS)


@st.composite
def any_apps(draw: st.DrawFn) -> AppTree:
    """An app with two resources of each kind."""
    bodies = {kind: {"a": draw(_bodies(kind)), "b": draw(_bodies(kind))} for kind in _KINDS}
    return app(draw(_bodies("apps")), **bodies)


@cache
def _bodies(kind: str) -> st.SearchStrategy[dict[str, Any]]:
    return _messages(next(row.class_name for name, row in KINDS.items() if name == kind), 4)


@cache
def _messages(name: str, depth: int) -> st.SearchStrategy[dict[str, Any]]:
    fields = [field for field in message_spec(name).settable if depth or field.scalar is not Scalar.MESSAGE]
    chosen = (
        st.lists(st.sampled_from(fields), max_size=4, unique_by=lambda field: field.name)
        if fields
        else st.just([])
    )
    return chosen.flatmap(
        lambda some: st.fixed_dictionaries({field.name: st.none() | _field(field, depth) for field in some})
    )


@cache
def _field(field: FieldSpec, depth: int) -> st.SearchStrategy[Any]:
    value = st.none() | _value(field, depth)
    match field.cardinality:
        case Cardinality.LIST:
            return st.lists(value, max_size=3)
        case Cardinality.MAP:
            return st.dictionaries(TEXTS, value, max_size=2)
    return value


def _value(field: FieldSpec, depth: int) -> st.SearchStrategy[Any]:
    match field.scalar:
        case Scalar.MESSAGE:
            return _messages(field.message_name, depth - 1)
        case Scalar.BOOL:
            return st.booleans()
        case Scalar.ENUM:
            return st.sampled_from(field.enum)
        case Scalar.INT32 | Scalar.INT64 | Scalar.FLOAT | Scalar.DOUBLE:
            return st.integers(-9, 200) | st.floats(allow_nan=True)
        case Scalar.STRUCT:
            return st.dictionaries(TEXTS, TEXTS, max_size=2)
    return TEXTS | SECRETS | st.builds(Included, TEXTS)
