"""JSON from outside is read within one limit of nesting, whoever reads it."""

from collections.abc import Callable

import pytest

from cesplan.config.project.declarations import read_as
from cesplan.domain.errors import CesplanError
from cesplan.domain.text.json_text import DEEPEST, TooDeep, decoded
from cesplan.features.releases.json_report import read_evidence
from cesplan.features.scores.strict_json import strict_json
from cesplan.features.typed_diffs.structure import Unread, read_document
from cesplan.render.machine.formats.drift import read_drift
from cesplan.render.machine.formats.evaluation import read_evaluation
from cesplan.render.machine.plan_file import open_plan_file

LEVELS = (DEEPEST + 1, 450, 990, 100_000)
"""Beyond our limit; where two calls a level, and the decoder itself, reach that of the interpreter."""

READERS: dict[str, Callable[[str], object]] = {
    "a variable of the environment": lambda text: read_as("list", text),
    "a turn of an eval set": strict_json,
    "a schema or an OpenAPI document in a field": read_document,
}
REPORTS: dict[str, Callable[[str], object]] = {
    "evidence of a release": read_evidence,
    "a baseline": read_evaluation,
    "a shard of a drift check": read_drift,
    "a plan file": open_plan_file,
}


def test_the_limit_is_exact() -> None:
    """As the service has it: 100 levels are read, 101 are not."""
    assert decoded(nested(DEEPEST)) == decoded(nested(DEEPEST).encode())
    with pytest.raises(TooDeep, match="it has more than 100 levels"):
        decoded(nested(DEEPEST + 1))


@pytest.mark.parametrize("levels", LEVELS)
@pytest.mark.parametrize("reader", READERS.values(), ids=READERS)
def test_no_text_exhausts_the_interpreter(reader: Callable[[str], object], levels: int) -> None:
    """What is not read has a reason."""
    with pytest.raises((ValueError, Unread)):
        reader(nested(levels))


@pytest.mark.parametrize("levels", LEVELS[1:])
@pytest.mark.parametrize("reader", REPORTS.values(), ids=REPORTS)
def test_no_report_does_either(reader: Callable[[str], object], levels: int) -> None:
    """Reports hold bodies, so they nest deeper than these."""
    known = '"format_version": "1.0", "apps": [], "resource_changes": [], "apply": {}, "file_digest": "x"'
    with pytest.raises((ValueError, CesplanError)):
        reader(f'{{{known}, "x": {nested(levels)}}}')


def nested(levels: int) -> str:
    return "[" * levels + "]" * levels
