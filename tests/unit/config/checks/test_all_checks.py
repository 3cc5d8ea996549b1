"""What is true of all checks together."""

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import cesplan.config.checks
from cesplan.config.checks import CHECKS
from cesplan.config.codes import CODES
from cesplan.config.codes.checks import CHECK_CODES
from cesplan.domain.diagnostic import Severity
from cesplan.domain.value import Secret
from cesplan.model.kinds import KINDS
from cesplan.model.scalars import Scalar
from cesplan.model.spec import Cardinality, FieldSpec, message_spec
from tests.unit.config.checks.builders import Included, app

FOLDER = Path(cesplan.config.checks.__file__).parent
USED = set(re.findall(r'"(CES\d{3})"', "".join(path.read_text() for path in sorted(FOLDER.glob("*.py")))))

ODD = ["", "{", "{@TOOL: }", "{@AGENT:x}{y}", "def f(*a, b=None): ...", "(?=a", "a", "a\nb", "/\n(?\n"]
DOCUMENT = "openapi: 3.0.3\npaths: {/a: {get: {}}}"
NAMES = ["agents/a", "tools/t", "toolsets/s", "versions/-", "#/defs/x"]
TEXTS = st.sampled_from([*ODD, DOCUMENT, *NAMES]) | st.text(max_size=8)
SECRETS = st.builds(Secret, variables=st.just(("v",)), text=TEXTS)


def test_every_code_of_a_check_is_in_the_table_and_the_other_way_round() -> None:
    """No finding without a page, no page without a finding."""
    assert {code.code for code in CHECK_CODES} == USED
    assert all(CODES[code.code] is code for code in CHECK_CODES)


@pytest.mark.parametrize("code", CHECK_CODES, ids=lambda code: code.code)
def test_every_page_says_what_to_do(code: Any) -> None:
    """Pages are text for people; all that is not an error may be silenced."""
    assert "**What to do.**" in code.page
    assert code.title[0].islower() or code.title.startswith(("OpenAPI", "Python", "MCP", "$ref"))
    assert code.silenceable or code.severity is Severity.ERROR


def test_checks_do_not_import_the_models() -> None:
    """Specs come from the compiled table: start-up needs neither pydantic nor the models."""
    assert not any("pydantic" in path.read_text() for path in FOLDER.glob("*.py"))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_no_body_stops_a_check(data: st.DataObject) -> None:
    """Whatever passed the walk along the schema, with odd texts, nulls, secrets: findings, never an error."""
    kinds = [
        "agents",
        "tools",
        "toolsets",
        "guardrails",
        "deployments",
        "evaluations",
        "scheduledEvaluationRuns",
    ]
    bodies = {kind: {"a": data.draw(_bodies(kind)), "b": data.draw(_bodies(kind))} for kind in kinds}
    tree = app(data.draw(_bodies("apps")), **bodies)

    for check in CHECKS:
        for finding in check(tree):
            assert finding.code in USED
            assert finding.summary
            assert "\n" not in finding.summary


def _bodies(kind: str) -> st.SearchStrategy[dict[str, Any]]:
    return _messages(next(row.class_name for name, row in KINDS.items() if name == kind), 4)


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
