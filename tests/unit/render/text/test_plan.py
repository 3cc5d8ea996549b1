"""Plans as people read them."""

import json
import os
import re
import subprocess
import sys
from dataclasses import replace

import pytest

from cesplan.domain.plan import Plan
from cesplan.render.machine.digests import plan_digest
from cesplan.render.machine.formats.plan import PlanReport
from cesplan.render.services.markdown import plan_markdown
from cesplan.render.services.markdown_escaping import inert
from cesplan.render.text.layout import View
from cesplan.render.text.plan import plan_text
from tests.unit.render.builders import (
    FIRST_CONTACT,
    LIVE_TOKEN,
    MIXED,
    NOTHING,
    REFUSED,
    SECRET,
    TOKEN,
    change,
    forced,
    plan,
    update,
)
from tests.unit.render.golden import assert_golden

_ANSI = re.compile(r"\x1b\[[0-9;]*m")
_HINTS = {"To apply this": "cesplan apply -e prod"}


@pytest.mark.parametrize("width", [80, 120])
def test_a_plan_is_readable_at_any_width(width: int) -> None:
    """Two columns where they fit, everything by app, and the summary at the end."""
    text = plan_text(MIXED, View(width=width), duration=0.61, hints=_HINTS)
    assert_golden(f"plan-mixed-{width}.txt", text)


def test_colour_is_kept_in_a_golden_file_of_its_own() -> None:
    """Code and YAML are highlighted, signs and values coloured, changed words underlined."""
    assert_golden("plan-mixed-colour.ansi", plan_text(MIXED, View(width=100, colour=True)))


@pytest.mark.parametrize("made", [MIXED, FIRST_CONTACT, REFUSED, NOTHING])
def test_colour_only_adds(made: Plan) -> None:
    """Without its colours a coloured plan is the plain one, but for the quotes around changed words."""
    coloured = _ANSI.sub("", plan_text(made, View(width=300, colour=True)))
    plain = re.sub("[‹›]", "", plan_text(made, View(width=300)))
    assert [row.rstrip() for row in coloured.split("\n")] == plain.split("\n")


def test_first_contact_says_what_stays_and_how_to_take_it_over() -> None:
    """What first contact holds back is listed, with the flag that would let it go."""
    assert_golden("plan-first-contact.txt", plan_text(FIRST_CONTACT, duration=0.2))


def test_a_refused_plan_warns_below_its_summary() -> None:
    """The guard's reasons are the last thing one reads, before what to type."""
    assert_golden("plan-refused.txt", plan_text(REFUSED))


def test_an_empty_plan_is_one_line() -> None:
    """Nothing to do takes one line."""
    assert plan_text(NOTHING) == (
        "No changes. Live matches the tree. 68 resources compared.            13 requests\n"
    )


@pytest.mark.parametrize("width", [80, 120])
def test_lines_fit_the_width(width: int) -> None:
    """Only a field path, which nobody may cut, can be wider than the page."""
    rows = plan_text(MIXED, View(width=width), duration=0.61, hints=_HINTS).split("\n")
    assert [row for row in rows if len(row) > width and "semanticSimilarity" not in row] == []


@pytest.mark.parametrize("colour", [False, True])
def test_secrets_never_show(colour: bool) -> None:
    """Neither what will be sent nor what live holds at the same place."""
    text = plan_text(MIXED, View(width=120, colour=colour))
    assert TOKEN not in text
    assert LIVE_TOKEN not in text


def test_the_same_plan_is_the_same_bytes_whatever_the_hash_seed() -> None:
    """Nothing in a page depends on the order of a set."""
    program = (
        "import sys; from tests.unit.render.builders import MIXED\n"
        "from cesplan.render.text.plan import plan_text\n"
        "from cesplan.render.machine.formats.plan import PlanReport\n"
        "sys.stdout.buffer.write((plan_text(MIXED) + PlanReport.of(MIXED).text()).encode())"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(outputs) == 1


def test_fields_that_never_come_back_are_told_although_nothing_differs() -> None:
    """`--resend`: there is nothing to compare with, and nothing to show."""
    made = update("d/deployments/web", change("whatsappCredentials", None, {"authCode": SECRET}))
    again = replace(made, changes=(), after={"whatsappCredentials": {"authCode": SECRET}})
    assert "      whatsappCredentials     sent again\n" in plan_text(plan(again))


def test_fields_newer_than_the_models_show_what_they_are_set_to() -> None:
    """`$extra`: the model knows no before."""
    made = update("d/agents/a", change("brandNew.field", None, 5))
    text = plan_text(plan(replace(made, changes=(), after={"brandNew": {"field": 5}})))
    assert "      brandNew.field          set to 5\n" in text


@pytest.mark.parametrize(
    ("address", "users", "told"),
    [
        ("guardrails/old-words", (), "by force: nothing will refer to it anymore"),
        (
            "guardrails/old-words",
            ("support-desk", "support-desk/agents/theirs"),
            "by force: the service removes the reference from the app and agents/theirs",
        ),
        (
            "tools/old",
            ("support-desk/agents/theirs", "support-desk/evaluations/greets"),
            (
                "by force: the service removes the reference from agents/theirs; the effect on the reference "
                "in evaluations/greets is not documented"
            ),
        ),
    ],
)
def test_a_delete_by_force_lists_what_it_changes(address: str, users: tuple[str, ...], told: str) -> None:
    """In every format, and in the checksum: one more referrer is another plan."""
    made = plan(forced(f"support-desk/{address}", *users))
    assert told in " ".join(plan_text(made, View(width=100)).split())
    assert inert(told) in plan_markdown(made)
    document = json.loads(PlanReport.of(made).text())
    assert document["resource_changes"][0]["still_used_by"] == [*users]
    assert plan_digest(made) != plan_digest(
        plan(forced(f"support-desk/{address}", *users, "support-desk/agents/new"))
    )
