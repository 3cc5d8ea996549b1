"""The shapes of reports: what was written fits them and is read back, and what is not of them is refused."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import ValidationError

from cesplan.domain.plan import Plan
from cesplan.domain.reviewed import Reviewed
from cesplan.render.documents import opening, text_of
from cesplan.render.machine.formats.base import Format, problems
from cesplan.render.machine.formats.diagnostics import ValidationReport
from cesplan.render.machine.formats.plan import PlanReport
from cesplan.render.machine.formats.schemas import document_schema
from cesplan.render.machine.plan_file import plan_file_text
from cesplan.workflow.reference.schemas import REPORTS
from tests.machine_outputs import check_document
from tests.unit.render.builders import FIRST_CONTACT, MIXED, NOTHING, REFUSED

TESTS = Path(__file__).parents[4]
PLANS = [*sorted((TESTS / "scenarios").glob("*/plan.json")), TESTS / "unit/render/golden/plan-mixed.json"]


@pytest.mark.parametrize("path", PLANS, ids=lambda path: path.parent.name)
def test_every_golden_plan_fits_its_schema_and_is_read_back(path: Path) -> None:
    """No member is undocumented, none is lost, and none changes its spelling."""
    document = json.loads(path.read_text(encoding="utf-8"))
    # goldens leave out the version of cesplan: it changes with each release
    check_document("plan", text_of({**opening(), **document}))


@pytest.mark.parametrize("made", [MIXED, FIRST_CONTACT, REFUSED, NOTHING])
def test_every_plan_file_fits_its_schema_and_is_read_back(made: Plan) -> None:
    check_document("plan_file", plan_file_text(Reviewed(plan=made)))


@pytest.mark.parametrize("name", REPORTS)
def test_every_member_is_documented(name: str) -> None:
    """In the report and in all that it holds."""
    schema = document_schema(REPORTS[name])
    for shape in (schema, *schema.get("$defs", {}).values()):
        for member, said in shape.get("properties", {}).items():
            assert said.get("description", "").endswith("."), (shape["title"], member)


class _Base(Format):
    """Its heirs are found before what is defined next."""


class _Inner(Format):
    """Is found after what holds it."""

    count: int
    """How many."""


class _Outer(_Base):
    """Is complete before anything is described, as a report that was read."""

    inner: tuple[_Inner, ...]
    """What is inside."""


def test_what_a_shape_holds_is_documented_whatever_is_found_first() -> None:
    assert _Outer(inner=()).inner == ()
    schema = document_schema(_Outer)
    assert schema["properties"]["inner"]["description"] == "What is inside."
    assert schema["$defs"]["_Inner"]["properties"]["count"]["description"] == "How many."


def test_types_are_strict() -> None:
    """A number that is written as text is not a number; each place is named by its path."""
    document = json.loads(ValidationReport.of((), 3).text())
    wrong = {**document, "files": "3", "valid": 1, "summary": {"errors": 0.5, "warnings": 0}}
    with pytest.raises(ValidationError) as raised:
        ValidationReport.model_validate_json(json.dumps(wrong))
    assert [*problems(raised.value)] == [
        "`valid`: should be a valid boolean",
        "`files`: should be a valid integer",
        "`summary.errors`: should be a valid integer",
        "`summary.notices`: is required",
    ]


def test_members_of_a_newer_minor_format_are_not_read() -> None:
    document = {**json.loads(PlanReport.of(MIXED).text()), "newer": 1}
    assert PlanReport.model_validate_json(json.dumps(document)).text() == PlanReport.of(MIXED).text()


def test_no_shape_can_be_changed() -> None:
    """A report is a value."""
    with pytest.raises(ValidationError):
        PlanReport.of(NOTHING).requests = 2


def _shapes(base: type[Format]) -> set[type[Format]]:
    return {base}.union(*map(_shapes, base.__subclasses__()))


def test_shapes_have_a_docstring_of_their_own() -> None:
    """It is the heading of the page of reports."""
    ours = (shape for shape in _shapes(Format) if shape.__module__.startswith("cesplan."))
    assert [shape.__name__ for shape in ours if not shape.__doc__] == []


_PROGRAM = """
import sys
from cesplan.cli.running import run
for typed in sys.argv[1:]:
    code = run(typed.split())
    sys.stderr.write(f"\\n{typed}: exit code {code}, pydantic: {'pydantic' in sys.modules}")
"""


def test_only_json_needs_pydantic(tmp_path: Path) -> None:
    """A text report does not wait for its import: none of these commands, one after the other in a process."""
    commands = {
        "--help": False,
        "plan --help": False,
        "validate": False,
        "--emulator plan": False,
        "--emulator plan --format markdown": False,
        "--emulator apply --auto-approve": False,
        "validate --format json": True,
    }
    tree = ["cesplan: 1", "project: acme-dev", "location: us", "apps: [apps/*]"]
    (tmp_path / "apps/help-desk").mkdir(parents=True)
    (tmp_path / "cesplan.yaml").write_text("\n".join(tree), encoding="utf-8")
    (tmp_path / "apps/help-desk/app.yaml").write_text("displayName: Desk\n", encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-c", _PROGRAM, *commands], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    said = [line for line in ran.stderr.splitlines() if "exit code" in line]
    expected = [f"{typed}: exit code 0, pydantic: {is_needed}" for typed, is_needed in commands.items()]
    assert said == expected, ran.stderr
