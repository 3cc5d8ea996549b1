"""The values that everything passes on say what each of their fields is."""

import ast
import inspect
from itertools import pairwise
from textwrap import dedent

import pytest

from cesplan.domain.plan import Operation, Plan, Step
from cesplan.engine.planning.draft import Draft
from cesplan.model.kinds import Container, Kind


@pytest.mark.parametrize("value", [Kind, Container, Operation, Step, Plan, Draft])
def test_each_field_has_a_line_of_its_own(value: type) -> None:
    (definition,) = ast.parse(dedent(inspect.getsource(value))).body
    assert isinstance(definition, ast.ClassDef)
    fields = [item.target.id for item in definition.body if _is_field(item)]
    told = [item.target.id for item, text in pairwise(definition.body) if _is_field(item) and _is_text(text)]
    assert fields == told


def _is_field(item: ast.stmt) -> bool:
    return isinstance(item, ast.AnnAssign) and not item.target.id.startswith("_")


def _is_text(item: ast.stmt) -> bool:
    return isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant)
