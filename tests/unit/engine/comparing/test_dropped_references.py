"""A body as it is once others are gone that it referred to."""

import pytest

from cesplan.domain.value import Body
from cesplan.engine.comparing.dropped_references import without_references
from cesplan.model.kinds import kind_of


@pytest.mark.parametrize(
    ("kind", "body", "left"),
    [
        ("agents", {"tools": ["tools/a", "tools/b"]}, {"tools": ["tools/b"]}),
        ("agents", {"displayName": "x", "guardrails": ["tools/a"]}, {"displayName": "x"}),
        ("agents", {"toolsets": [{"toolset": "tools/a", "toolIds": ["t"]}]}, {}),
        (
            "agents",
            {
                "transferRules": [
                    {"childAgent": "tools/a", "direction": "PARENT_TO_CHILD"},
                    {"childAgent": "agents/b"},
                ]
            },
            {"transferRules": [{"childAgent": "agents/b"}]},
        ),
        ("apps", {"rootAgent": "tools/a", "displayName": "Shop"}, {"displayName": "Shop"}),
        ("apps", {"displayName": "tools/a"}, {"displayName": "tools/a"}),
        ("agents", {"newer": "tools/a"}, {"newer": "tools/a"}),
    ],
)
def test_references_go_with_what_cannot_stand_without_them(kind: str, body: Body, left: Body) -> None:
    """From lists, from messages that require them, from fields; what only looks like one stays."""
    assert without_references(kind_of(kind).spec, body, frozenset({"tools/a"})) == left


def test_nothing_gone_is_nothing_done() -> None:
    body = {"tools": ["tools/a"]}
    assert without_references(kind_of("agents").spec, body, frozenset()) is body
