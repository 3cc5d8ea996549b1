"""A stale plan as people and programs read it."""

import json

from cesplan.domain.change import EditKind, LiveEdit
from cesplan.domain.reviewed import Moved, Movement, Stale
from cesplan.domain.value import Secret
from cesplan.render.machine.formats.stale import StaleReport
from cesplan.render.text.stale import stale_text
from tests.unit.render.builders import (
    FRONT_DESK,
    INSTRUCTION,
    LIVE_TOKEN,
    MIXED,
    TOOLSET,
    change,
    create,
    delete,
)
from tests.unit.render.golden import assert_golden

_EDIT = LiveEdit(kind=EditKind.UPDATED, author="alice@acme.example", time="2026-11-20T14:02:31.5Z")
_STALE = Stale(
    plan=MIXED,
    moved=(
        Moved(
            operation=FRONT_DESK,
            movement=Movement.CHANGED,
            changes=(
                change(
                    "instruction", INSTRUCTION, INSTRUCTION.replace("refund", "voucher"), language="markdown"
                ),
            ),
            edit=_EDIT,
        ),
        Moved(
            operation=TOOLSET,
            movement=Movement.UNCLEAR,
            names=("mcpToolset.apiAuthentication.bearerTokenConfig.token",),
        ),
        Moved(operation=delete("support-desk/tools/old"), movement=Movement.CHANGED, edit=_EDIT),
        Moved(
            operation=create("support-desk/tools/track-parcel"),
            movement=Movement.CREATED,
            changes=(change("pythonFunction.name", "track", "trace"),),
        ),
        Moved(
            operation=create("support-desk/agents/orders"),
            movement=Movement.REFERENCE_GONE,
            names=("tools/lookup-order",),
            edit=_EDIT,
        ),
        Moved(
            operation=delete("support-desk/guardrails/old-words"),
            movement=Movement.REFERRED,
            names=("support-desk/agents/orders", "support-desk/agents/late"),
            edit=_EDIT,
        ),
    ),
)


def test_the_page_is_kept_whole() -> None:
    """What moved, who did it, both differences, and what to type."""
    assert_golden("stale.txt", stale_text(_STALE, hints={"To see the new plan": "cesplan plan -e prod"}))


def test_the_document_has_both_differences() -> None:
    document = json.loads(StaleReport.of(_STALE, exit_code=4).text())
    first = document["stale"][0]
    assert (document["exit_code"], document["error"]["type"]) == (4, "Stale")
    assert (first["edited_by"], first["movement"]) == ("alice@acme.example", "changed")
    assert first["live_changes"][0]["path"] == "instruction"
    assert len(first["planned_changes"]) == len(FRONT_DESK.changes)


def test_a_secret_that_moved_is_not_shown() -> None:
    """Live's own token stays hidden on both sides."""
    path = "mcpToolset.apiAuthentication.bearerTokenConfig.token"
    moved = Moved(
        operation=TOOLSET,
        movement=Movement.CHANGED,
        changes=(change(path, Secret((), LIVE_TOKEN), f"{LIVE_TOKEN}-2"),),
    )
    stale = Stale(plan=MIXED, moved=(moved,))
    assert LIVE_TOKEN not in stale_text(stale) + StaleReport.of(stale, exit_code=4).text()
