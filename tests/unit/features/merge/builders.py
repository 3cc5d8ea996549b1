"""Merges with one of everything: taken, kept, merged, in conflict, by hand, and whole resources."""

from typing import Any

from cesplan.domain.address import AppKey, parse_address
from cesplan.domain.change import EditKind, LiveEdit
from cesplan.domain.features.merge import (
    AppMerge,
    Fate,
    FieldMerge,
    MergedResource,
    MergeResult,
    ReCreated,
    ResourceFate,
    Side,
)
from cesplan.domain.field_path import FieldPath
from cesplan.domain.text.text_merge import Collision
from tests.unit.render.builders import LIVE_TOKEN, SECRET

DESK = parse_address("desk/agents/front-desk")
EDIT = LiveEdit(kind=EditKind.UPDATED, author="eve@acme.example", time="2026-11-20T18:03:00Z")


def field(path: str, result: MergeResult, base: Any, tree: Any, live: Any, **more: Any) -> FieldMerge:
    return FieldMerge(
        path=FieldPath(tuple(path.split("."))), result=result, base=base, tree=tree, live=live, **more
    )


def app_merge(text: str = "Offer a refund.") -> AppMerge:
    """What became of one app; `text` is what others wrote."""
    fields = (
        field("displayName", MergeResult.TAKEN, "Desk", "Desk", text),
        field("modelSettings.temperature", MergeResult.KEPT, 0.2, 0.3, 0.2),
        field("description", MergeResult.CONFLICT, "a", "b", text),
        field("modelSettings.model", MergeResult.CONFLICT, "a", "b", "c", won=Side.TREE),
        field(
            "instruction",
            MergeResult.CONFLICT,
            "Greet.\nHelp.",
            f"Greet.\n{text} Now.",
            f"Greet.\n{text} Later.",
            language="markdown",
            file="apps/desk/agents/front-desk.md",
            collisions=(
                Collision(line=2, lines=1, base="Help.", ours=f"{text} Now.", theirs=f"{text} Later."),
                Collision(line=9, lines=1, base=None, ours=None, theirs=text),
            ),
        ),
        field(
            "tools",
            MergeResult.MERGED,
            [],
            ["tools/a"],
            ["tools/b"],
            merged=["tools/a", "tools/b"],
            is_set=True,
        ),
        field("childAgents", MergeResult.BY_HAND, [], [], [text], why="no file can say it"),
    )
    crm = parse_address("desk/toolsets/crm")
    token = field(
        "mcpToolset.apiAuthentication.bearerTokenConfig.token", MergeResult.TAKEN, None, SECRET, LIVE_TOKEN
    )
    return AppMerge(
        key=AppKey("desk"),
        base="the tree at 4f2c9e1",
        weaker="the change log could not be read",
        resources=(
            MergedResource(
                address=DESK, body={}, extra={}, fields=fields, file="apps/desk/agents/front-desk.yaml"
            ),
            MergedResource(address=crm, body={}, extra={}, fields=(token,), file="apps/desk/toolsets/crm.yaml"),
        ),
        fates=(
            ResourceFate(address=parse_address("desk/tools/try-out"), fate=Fate.CREATED),
            ResourceFate(
                address=parse_address("desk/tools/old"), fate=Fate.DELETED_LIVE, referrers=("agents/x",)
            ),
            ResourceFate(address=parse_address("desk/tools/kept"), fate=Fate.ONLY_IN_TREE),
            ResourceFate(address=parse_address("desk/tools/gone"), fate=Fate.DELETED),
        ),
        refused={(str(DESK), "childAgents"): text, ("desk/guardrails/words", "enabled"): text},
        ids=(parse_address("desk/tools/lookup"), parse_address("desk/tools/new")),
        re_created=(ReCreated(address=parse_address("desk/tools/lookup"), old="a1", new="b2"),),
        edits={(DESK, "description"): EDIT},
        notices=(text,),
    )
