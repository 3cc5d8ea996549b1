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

from cesplan.domain.outcome import Applied, Skipped
from cesplan.features.impact.picture import picture_of
from cesplan.features.impact.values import Graph
from cesplan.render.html.outcomes import outcomes_html
from cesplan.render.html.picture import Picture
from cesplan.render.html.plan import plan_html
from cesplan.render.page import printable
from tests.unit.features.impact.graphs import desk
from tests.unit.render.builders import LIVE_TOKEN, MIXED, TOKEN, change, create, plan, update
from tests.unit.render.html.pages import MADE_HOSTILE, NASTY, PAGES, STAMP, hostile_plan

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
    *("table", "caption", "colgroup", "col", "thead", "tbody", "tr", "th", "td"),
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
def test_every_page_is_valid_loads_and_runs_nothing_and_shows_no_secret(name: str) -> None:
    """
    No script, form, frame, image or link to elsewhere; no style but the one that the policy names.

    Places are unique, and every link leads to one.
    """
    page, found = PAGES[name], list(elements(PAGES[name]))
    assert TOKEN not in page
    assert LIVE_TOKEN not in page
    assert {re.sub(r"^\{.*\}", "", item.tag) for item in found} <= ALLOWED
    active = ("style", "src", "srcset", "action")
    assert [key for item in found for key in item.attrib if key.startswith("on") or key in active] == []
    (style,) = [item.text or "" for item in found if item.tag == "style"]
    (policy,) = [
        item.attrib["content"] for item in found if item.attrib.get("http-equiv") == "Content-Security-Policy"
    ]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert not re.search(r"url\(|@import|expression|https?:", style)
    places = [item.attrib["id"] for item in found if "id" in item.attrib]
    assert len(places) == len(set(places))
    assert {item.attrib["href"] for item in found if "href" in item.attrib} <= {f"#{place}" for place in places}


@pytest.mark.parametrize("text", NASTY)
def test_texts_of_others_are_shown_as_they_are(text: str) -> None:
    """What a reader sees is the text; what would reorder or hide it is visible."""
    for page in (plan_html(hostile_plan(text)), *(made(text) for made in MADE_HOSTILE)):
        shown = "".join(parsed(page).itertext())
        first = printable(text.split("\n")[0])
        assert first in shown
        assert "\u202e" not in page
        assert "\x1b" not in page


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


TITLES = {
    "mixed": "Plan · prod · acme-prod/us",
    "refused": "Apply will refuse this plan · Plan · prod · acme-prod/us",
    "nothing": "No changes · Plan · prod · acme-prod/us",
    "drift": "2 drifted, 1 conflict, 0 pending · Drift · prod",
    "error": "The configuration has errors · cesplan plan · prod",
    "denied": "Refused · cesplan apply · prod",
    "applied": "Applied: 5 created, 5 updated, 2 deleted in 1 min 16 s. Live matches the tree · Apply · prod",
    "applied in part": "Applied in part: 0 created, 1 updated, 0 deleted, 1 failed, 1 skipped, 1 unknown",
    "not applied": "Not applied: 0 created, 0 updated, 0 deleted, 1 unknown in 2.0 s · Apply · prod",
    "nothing applied": "Nothing to do · Apply · prod · acme-prod/us",
    "promotion": "dev and prod: 3 resources differ; 57 equal · Promote · dev → prod · dev acme-dev/us",
    "merge": "Merge: 1 file written; 1 file removed; 5 places left to resolve · Merge · dev",
    "merge, nothing": "Nothing to merge. None of the tree's apps is live · Merge, checked only",
    "evaluation": "Failed: 3 evaluations: 1 passed, 1 failed, 1 inconclusive · Evaluation of desk",
    "gate": "The gate failed. No traffic was moved · Release web, gate · prod · desk · acme-prod/us",
    "step": "The step holds · Release web, step · prod",
    "equal environments": "dev and prod are equal: 57 resources compared · Promote · dev → prod",
}


@pytest.mark.parametrize("name", TITLES)
def test_a_title_begins_with_the_verdict(name: str) -> None:
    """Windows and bookmarks cut titles at their end; the first words of the page are the same."""
    found = {
        item.tag: "".join(item.itertext()) for item in elements(PAGES[name]) if item.tag in ("title", "h1")
    }
    assert found["title"].startswith(TITLES[name])


def test_an_apply_shows_what_went_wrong_first_and_the_plan_below() -> None:
    """A row each, worst first, linked to what was planned; the errors whole; what to type next."""
    page = PAGES["applied in part"]
    rows = re.findall(r'<span class="mark (\w+)">.*?</span> ([^<]+)</span>', page.split("</table>")[0])
    assert rows == [
        ("bad", "failed"),
        ("open", "unknown"),
        ("open", "updated, not converged"),
        ("quiet", "skipped"),
        ("quiet", "skipped"),
    ]
    assert "Write one." in page
    assert "$ignore: [modelSettings.temperature" in page
    assert "cesplan apply -e prod" in page
    assert page.index("pythonCode: the function has no docstring.") < page.index(
        "The plan that was carried out"
    )
    place = re.search(r'<a href="#(r\d+)">support-desk/tools/track-parcel</a>', page)
    assert place is not None
    assert f'<article id="{place[1]}" class="create">' in page


def test_the_stamp_is_not_taken_for_the_app() -> None:
    """Both are updates of the same resource, and each has its own outcome."""
    made = [
        Applied(operation=MIXED.operations[0], seconds=0.2),
        Skipped(operation=STAMP, because="interrupted"),
    ]
    page = outcomes_html(MIXED, made, duration=1)
    assert "support-desk (stamp)</td>" in page
    (app,) = re.findall(
        r'<article id="r\d+" class="update">\s*<h3>[^\n]*<code>support-desk</code>.*?</p>', page, re.S
    )
    assert "updated" in app
    assert "skipped" not in app


def test_a_rollback_says_what_is_still_there() -> None:
    page = PAGES["rolled back"]
    assert "Rolled back in part: 1 of 2 undone, in 1 write." in page
    assert "support-desk/agents/front-desk: the old etag" in page
    assert "By eve@acme.example." in page


def test_a_promotion_has_both_sides_and_the_plan_for_the_second() -> None:
    page = PAGES["promotion"]
    assert '<th scope="col" colspan="2">dev</th><th scope="col" colspan="2">prod</th>' in page
    assert page.index("only in dev") < page.index("The plan for prod") < page.index("In this plan")


def test_a_merge_has_both_sides_and_three_where_edits_meet() -> None:
    page = PAGES["merge"]
    assert "conflict: both changed it, live by eve@acme.example" in page
    assert "<caption>" not in page
    assert 'data-column="Last applied"><code>Help.</code>' in page
    assert 'data-column="Tree"><code>(nothing)</code>' in page
    assert "Changed only in the tree, and kept: agents/front-desk modelSettings.temperature." in page
    assert "desk/guardrails/words enabled: Offer a refund." in page


def test_an_evaluation_shows_what_was_expected_beside_what_was_observed() -> None:
    """What did not pass first; a repeat is a table of its own."""
    page = PAGES["evaluation"]
    assert (
        page.index("evaluations/refund</a>")
        < page.index("evaluations/mood</a>")
        < page.index("evaluations/hello</a>")
    )
    assert "<caption>Repeat 2</caption>" in page
    assert 'data-column="Expected"><code>lookup(order: &#34;7&#34;)</code>' in page
    assert 'data-column="Observed"><code>nothing</code>' in page
    assert "Regressions: evaluations/refund" in page


def test_a_gate_shows_what_speaks_against_it_before_its_parts() -> None:
    page = PAGES["gate"]
    assert (
        page.index("<h2>Objections</h2>")
        < page.index("<h2>The gate</h2>")
        < page.index("suites.regression</h2>")
    )
    objections = page.split("</table>")[0]
    assert re.findall(r'class="mark (\w+)"', objections) == ["bad", "open"]
    assert "Refund, critical" in page
    assert "1 of 12" in PAGES["step"]
    assert "live differs from the tree" in PAGES["plan of a gate"]
