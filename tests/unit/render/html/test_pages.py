"""
Pages are valid, hold all they show, load nothing, run nothing, and show texts of others as texts.
"""

import base64
import hashlib
import re
from collections.abc import Iterator
from dataclasses import replace
from xml.etree.ElementTree import Element

import html5lib
import pytest

from cesplan.domain.diagnostic import Diagnostic, Severity, SourcePlace
from cesplan.domain.errors import InvalidConfiguration
from cesplan.domain.features.drift import DriftClass
from cesplan.domain.features.weakening import Weakening
from cesplan.domain.plan import Plan
from cesplan.features.drift.html_report import drift_html
from cesplan.features.impact.graph import Resource, graph_of
from cesplan.features.impact.picture import picture_of
from cesplan.features.impact.values import Graph
from cesplan.render.html.error import error_html
from cesplan.render.html.picture import Picture
from cesplan.render.html.plan import plan_html
from cesplan.render.page import printable
from tests.unit.features.drift.reports import app, created, field_drift, report
from tests.unit.features.impact.graphs import APP, HOSTILE, agent, at, desk
from tests.unit.render.builders import (
    FIRST_CONTACT,
    LIVE_EDITS,
    LIVE_TOKEN,
    MIXED,
    NOTHING,
    REFUSED,
    TOKEN,
    change,
    create,
    plan,
    update,
)

NASTY = (
    *HOSTILE,
    "</style><script>alert(1)</script>",
    "{{ 7 * 7 }}{% raw %}",
    "' onmouseover='x",
    "javascript:x",
)


def hostile_plan(text: str) -> Plan:
    """A plan in which everything that others can name is this text."""
    changed = (
        change("instruction", f"a\n{text}\nb", f"a\n{text}!\nb", language="markdown"),
        change("displayName", text, "x"),
        change("tools", [text], ["y"], is_set=True),
        change("nested", {"k": text}, {"k": "y"}),
    )
    operation = replace(
        update("shop/agents/x", *changed),
        display_name=text,
        notes=(text,),
        weakens=(Weakening(code="WEA001", path="x", text=text),),
    )
    return plan(
        operation, create("shop/tools/t", file=text), notices=(text,), refusals=(text,), would_remove=(text,)
    )


def hostile_picture(text: str) -> Picture:
    other = Resource(address=at("agents", "b"), display_name=text, body={})
    return picture_of(graph_of(APP, [agent("a", childAgents=["agents/b"]), other]))


def hostile_drift(text: str) -> str:
    items = (
        field_drift(text, tree="x", note=text, display_name=text),
        created(display_name=text, ignored=text),
    )
    return drift_html(report(app(*items, notices=(text,), error=text)), "prod")


ERROR = InvalidConfiguration(
    diagnostics=(
        Diagnostic(
            code="CES012",
            severity=Severity.ERROR,
            summary="`x` <b>",
            place=SourcePlace(file="a.yaml"),
            source_line="x",
        ),
    )
)
DRIFT = report(
    app(
        field_drift(0.9, tree=0.2, path="modelSettings.temperature"),
        field_drift("a\nb", tree="a\nc", drift_class=DriftClass.CONFLICT),
        created(),
    ),
    app(),
)
PAGES = {
    "mixed": plan_html(MIXED, picture_of(desk())),
    "first contact": plan_html(FIRST_CONTACT),
    "refused": plan_html(REFUSED),
    "nothing": plan_html(NOTHING),
    "live edits": plan_html(LIVE_EDITS),
    "since": plan_html(replace(MIXED, since="4f2c9e1" + "0" * 33)),
    "drift": drift_html(DRIFT, "prod"),
    "error": error_html("plan", ERROR, environment="prod", findings=ERROR.diagnostics),
    **{
        f"hostile {number}": plan_html(hostile_plan(text), hostile_picture(text))
        for number, text in enumerate(NASTY)
    },
    **{f"hostile drift {number}": hostile_drift(text) for number, text in enumerate(NASTY)},
}


ALLOWED = {
    *(
        "html",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "header",
        "main",
        "footer",
        "nav",
        "section",
        "article",
    ),
    *(
        "h1",
        "h2",
        "h3",
        "p",
        "ul",
        "li",
        "a",
        "span",
        "b",
        "code",
        "pre",
        "del",
        "ins",
        "details",
        "summary",
        "div",
    ),
    *("table", "colgroup", "col", "thead", "tbody", "tr", "th", "td"),
    *("svg", "defs", "marker", "path", "g", "rect", "text"),
}
"""Elements of a page; none of them loads or runs anything."""


def parsed(page: str) -> Element:
    """The tree of a page. Raises ParseError for anything that HTML calls an error."""
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    document: Element = parser.parse(page)
    return document


def elements(page: str) -> Iterator[Element]:
    return (item for item in parsed(page).iter() if isinstance(item.tag, str))


@pytest.mark.parametrize("name", PAGES)
def test_every_page_is_valid_and_loads_and_runs_nothing(name: str) -> None:
    """No script, form, frame, image or link to elsewhere; no style but the one that the policy names."""
    seen = {re.sub(r"^\{.*\}", "", item.tag) for item in elements(PAGES[name])}
    assert seen <= ALLOWED
    for item in elements(PAGES[name]):
        assert not [
            key for key in item.attrib if key.startswith("on") or key in ("style", "src", "srcset", "action")
        ]
        if (target := item.attrib.get("href")) is not None:
            assert target.startswith("#")


@pytest.mark.parametrize("name", PAGES)
def test_the_policy_allows_the_style_of_the_page_and_nothing_else(name: str) -> None:
    found = list(elements(PAGES[name]))
    (style,) = [item.text or "" for item in found if item.tag == "style"]
    (policy,) = [
        item.attrib["content"] for item in found if item.attrib.get("http-equiv") == "Content-Security-Policy"
    ]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert not re.search(r"url\(|@import|expression|https?:", style)


@pytest.mark.parametrize("name", PAGES)
def test_places_are_unique_and_every_link_leads_to_one(name: str) -> None:
    found = list(elements(PAGES[name]))
    places = [item.attrib["id"] for item in found if "id" in item.attrib]
    assert len(places) == len(set(places))
    assert {item.attrib["href"][1:] for item in found if item.tag == "a"} <= set(places)


@pytest.mark.parametrize("text", NASTY)
def test_texts_of_others_are_shown_as_they_are(text: str) -> None:
    """What a reader sees is the text; what would reorder or hide it is visible."""
    for page in (plan_html(hostile_plan(text)), hostile_drift(text)):
        shown = "".join(parsed(page).itertext())
        first = printable(text.split("\n")[0])
        assert first in shown
        assert "\u202e" not in page
        assert "\x1b" not in page


@pytest.mark.parametrize("name", PAGES)
def test_no_secret_is_on_a_page(name: str) -> None:
    assert TOKEN not in PAGES[name]
    assert LIVE_TOKEN not in PAGES[name]


def test_words_that_changed_are_marked_on_both_sides() -> None:
    page = PAGES["mixed"]
    assert re.search(
        r'<td class="text del">.*<del>[^<]+</del>.*</td><td class="number">\d+</td><td class="text ins">', page
    )
    assert "<ins>more than three days</ins>" in page


def test_lines_have_the_numbers_of_their_own_side() -> None:
    """After two lines that came, equal lines are two further down on the right."""
    text = "\n".join("abcdefgh")
    made = plan(
        update(
            "shop/agents/x", change("instruction", text, text.replace("b\n", "b\nx\ny\n"), language="markdown")
        )
    )
    rows = re.findall(
        r'<tr class="same"><td class="number">(\d+)</td>.*?<td class="number">(\d+)</td>', plan_html(made)
    )
    assert rows == [("1", "1"), ("2", "2"), ("3", "5"), ("4", "6")]


def test_what_is_new_and_what_goes_is_there_in_full() -> None:
    body = {"instruction": "\n".join(f"line {number}" for number in range(300))}
    page = plan_html(plan(replace(create("shop/agents/x"), after=body)))
    assert all(f"line {number}</span>" in page for number in range(300))
    assert "Everything that is written, 301 lines" in page


def test_the_same_plan_is_the_same_page() -> None:
    assert plan_html(MIXED) == plan_html(MIXED)


def test_a_picture_has_a_box_for_each_resource_and_says_the_same_in_words() -> None:
    graph = desk()
    picture = picture_of(graph)
    assert len(picture.boxes) == len(graph.nodes)
    assert len(picture.arrows) == len(picture.words) == len(graph.edges)
    assert "agents/orders uses tools/ask" in picture.words
    assert all(
        box.x + box.width <= picture.width and box.y + box.height <= picture.height for box in picture.boxes
    )
    corners = {(box.x, box.y) for box in picture.boxes}
    assert len(corners) == len(picture.boxes)
    assert picture_of(Graph()) == Picture()
