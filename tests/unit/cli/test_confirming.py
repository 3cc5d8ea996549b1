"""Asking before anything is written."""

from dataclasses import replace

import pytest

from cesplan.cli.confirming import confirm
from cesplan.domain.errors import Declined
from tests.unit.render.builders import create, delete, plan

_CREATES = plan(create("desk/tools/one"))
_DELETES = plan(create("desk/tools/one"), delete("desk/tools/two"), delete("desk/tools/three"))


class _Person:
    """Stands for a console with someone at it."""

    def __init__(self, answer: str | None, *, can_ask: bool = True) -> None:
        self.can_ask = can_ask
        self.asked = ""
        self._answer = answer

    def ask(self, question: str) -> str | None:
        self.asked = question
        return self._answer


def _confirm(person: _Person, deletes: bool = False) -> None:
    confirm(person, _DELETES if deletes else _CREATES, "cesplan apply --auto-approve")  # type: ignore[arg-type]


def test_yes_is_yes() -> None:
    """The question names the place that will be written to."""
    person = _Person("yes")
    _confirm(person)
    assert "acme-prod/us" in person.asked


@pytest.mark.parametrize("answer", ["", "y", "YES", "no", None])
def test_anything_else_is_no(answer: str | None) -> None:
    """Neither an empty line nor the end of input lets a plan through."""
    with pytest.raises(Declined):
        _confirm(_Person(answer))


def test_deletes_are_confirmed_by_their_number() -> None:
    """Nobody types the number of deletes by habit."""
    _confirm(_Person("2"), deletes=True)
    with pytest.raises(Declined):
        _confirm(_Person("yes"), deletes=True)


def test_what_is_deleted_is_named_where_it_is_asked() -> None:
    """The plan may have scrolled away; of a long list the rest is counted."""
    person = _Person("2")
    _confirm(person, deletes=True)
    assert "acme-prod/us:\n  - desk/tools/two\n  - desk/tools/three\nTo apply" in person.asked
    many = plan(*(delete(f"desk/tools/tool-{number}") for number in range(23)))
    asked = _Person("23")
    confirm(asked, many, "cesplan apply --auto-approve")  # type: ignore[arg-type]
    assert "tool-19\n  … and 3 more\n" in asked.asked


def test_nobody_to_ask_is_told_what_to_type() -> None:
    """Without a terminal the flag is needed."""
    with pytest.raises(Declined) as raised:
        _confirm(_Person("yes", can_ask=False))
    assert "cesplan apply --auto-approve" in raised.value.detail


def test_a_long_apply_says_how_long_it_takes_at_least() -> None:
    """A short one says nothing, and neither does one against an emulator, which has no quota."""
    person = _Person("200")
    many = plan(*(delete(f"desk/tools/tool-{number}") for number in range(200)))
    confirm(person, many, "cesplan apply --auto-approve")  # type: ignore[arg-type]
    assert person.asked.startswith("\nThis takes at least 16 s: the quota is 600 writes a minute.\n\n")
    emulated = replace(many, settings=replace(many.settings, emulated=True))
    for short in (emulated, _CREATES):
        person = _Person("200" if short is emulated else "yes")
        confirm(person, short, "cesplan apply --auto-approve")  # type: ignore[arg-type]
        assert "This takes" not in person.asked
