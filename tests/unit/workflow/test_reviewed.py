"""Reviewed plans outside the command line: places, variables, files."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cesplan.domain.errors import InvalidConfiguration, Refused, UsageError
from cesplan.domain.plan import Plan
from cesplan.domain.reviewed import PlanFileError, Reviewed
from cesplan.workflow.reviewed import check_place, load_reviewed
from cesplan.workflow.saving import read_text, save
from tests.unit.render.builders import MIXED, TOKEN

_TREE = "cesplan: 1\nproject: p\nlocation: us\nenvironments:\n  prod: {project: acme-prod}\n"


def _reasons(made: Plan, root: Path, **given: Any) -> list[str]:
    try:
        check_place(Reviewed(plan=made), root=root, **given)
    except Refused as refused:
        return list(refused.reasons)
    return []


def test_a_plan_is_for_its_own_place(tmp_path: Path) -> None:
    """What a person names must be what the plan was made for; what they do not name does not matter."""
    assert _reasons(MIXED, tmp_path) == []
    assert _reasons(MIXED, tmp_path, environment="prod") == []
    assert len(_reasons(MIXED, tmp_path, environment="dev", endpoint="regional", emulated=True)) == 3
    emulated = replace(MIXED, settings=replace(MIXED.settings, emulated=True))
    assert len(_reasons(emulated, tmp_path)) == 1


def test_a_tree_around_has_the_last_word_on_where_an_environment_is(tmp_path: Path) -> None:
    """One that does not know the environment, or cannot be read, says nothing."""
    file = tmp_path / "cesplan.yaml"
    for text, refused in (
        (_TREE, False),
        (_TREE.replace("acme-prod", "acme-new"), True),
        (_TREE.replace("prod:", "test:"), False),
        ("cesplan: [", False),
    ):
        file.write_text(text, encoding="utf-8")
        assert bool(_reasons(MIXED, tmp_path)) == refused, text


def test_a_variable_is_taken_from_either_place(tmp_path: Path) -> None:
    """The command line wins; what is missing is named before anything is read of live."""
    file = tmp_path / "plan.json"
    save(MIXED, file)
    with pytest.raises(InvalidConfiguration) as missing:
        load_reviewed(file, environ={})
    assert "`crmKey`" in missing.value.summary
    for variables, environ in (
        ({"crmKey": TOKEN}, {"CESPLAN_VAR_crmKey": "x"}),
        ({}, {"CESPLAN_VAR_crmKey": TOKEN}),
    ):
        after = load_reviewed(file, variables=variables, environ=environ).plan.operations[6].after
        assert after is not None
        assert after["mcpToolset"]["apiAuthentication"]["bearerTokenConfig"]["token"].text == TOKEN


def test_a_file_is_whole_or_as_it_was(tmp_path: Path) -> None:
    """Written beside and moved into place; readable by its owner alone."""
    file = tmp_path / "plan.json"
    file.write_text("{}", encoding="utf-8")
    save(MIXED, file, seconds=0.12345)
    assert (file.stat().st_mode & 0o777, [item.name for item in tmp_path.iterdir()]) == (0o600, ["plan.json"])
    assert load_reviewed(file, variables={"crmKey": TOKEN}).seconds == 0.123
    with pytest.raises(UsageError):
        save(MIXED, tmp_path)
    assert [item.name for item in tmp_path.iterdir()] == ["plan.json"]


def test_what_cannot_be_read(tmp_path: Path) -> None:
    binary = tmp_path / "plan.bin"
    binary.write_bytes(b"\xff\xfe")
    with pytest.raises(PlanFileError):
        load_reviewed(binary)
    with pytest.raises(UsageError):
        read_text(tmp_path / "missing.json")
