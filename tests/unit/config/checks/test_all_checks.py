"""What is true of all checks together."""

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

import cesplan.config.checks
from cesplan.config.checks import CHECKS
from cesplan.config.codes import CODES
from cesplan.config.codes.checks import CHECK_CODES
from cesplan.config.manifest import AppTree
from cesplan.domain.diagnostic import Severity
from tests.unit.config.checks.any_apps import any_apps

FOLDER = Path(cesplan.config.checks.__file__).parent
USED = set(re.findall(r'"(CES\d{3})"', "".join(path.read_text() for path in sorted(FOLDER.glob("*.py")))))


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
@given(any_apps())
def test_no_body_stops_a_check(tree: AppTree) -> None:
    """Whatever passed the walk along the schema, with odd texts, nulls, secrets: findings, never an error."""
    for check in CHECKS:
        for finding in check(tree):
            assert finding.code in USED
            assert finding.summary
            assert "\n" not in finding.summary
