"""
Graphs are read by Mermaid itself, by Graphviz and by pydot, with names that try to break out of their labels.

Mermaid is found in `.node`, where `make node` puts it, and Graphviz on the PATH; without them their tests
are skipped. pydot and the grammar of `tests/unit/features/impact/test_graph.py` judge in any case.
"""

import html
import json
import re
import shutil
import subprocess
from pathlib import Path

import pydot
import pytest

from cesplan.domain.address import AppKey
from cesplan.domain.plan import Action
from cesplan.features.impact.dot import dot
from cesplan.features.impact.graph import GraphResource, graph_of
from cesplan.features.impact.mermaid import mermaid, title
from cesplan.features.impact.values import Graph, Node
from cesplan.render.page import printable
from tests.unit.features.impact.graphs import HOSTILE, agent, at, desk

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # pydot's, of its parser's old names

NODE = Path(__file__).parents[3] / ".node"


def _named(name: str) -> GraphResource:
    return GraphResource(address=at("agents", "b"), display_name=name, body={})


def _keyed(name: str) -> GraphResource:
    return GraphResource(address=at("agents", name), display_name="", body={})


GRAPHS = [
    desk(),
    *(graph_of(AppKey("desk"), [agent("a", childAgents=["agents/b"]), _named(name)]) for name in HOSTILE),
    graph_of(AppKey("desk"), map(_keyed, HOSTILE)),
]


def labels(graph: Graph) -> list[str]:
    return [printable(title(node)) for node in graph.nodes]


@pytest.mark.skipif(not (NODE / "node_modules/mermaid").is_dir(), reason="Mermaid is not there: make node")
def test_mermaid_reads_every_node_and_edge_and_shows_each_name_as_it_is() -> None:
    script = NODE / "mermaid.mjs"  # modules are found beside a script
    shutil.copy(Path(__file__).with_name("mermaid.mjs"), script)
    texts = json.dumps([mermaid(graph) for graph in GRAPHS])
    done = subprocess.run(["node", script], input=texts, capture_output=True, text=True, timeout=60, check=True)
    for graph, found in zip(GRAPHS, json.loads(done.stdout), strict=True):
        assert [_decoded(text) for text in found["vertices"]] == labels(graph)
        assert len(found["edges"]) == len(graph.edges)


def _decoded(text: str) -> str:
    """A label as it is drawn: Mermaid keeps a character code between signs of its own until then."""
    assert "<" not in text
    return html.unescape(re.sub("ﬂ°°([0-9]+)¶ß", r"&#\1;", text))


def test_pydot_reads_every_node_and_edge() -> None:
    for graph in GRAPHS:
        (read,) = pydot.graph_from_dot_data(dot(graph))
        nodes = {item.get_name(): item for item in read.get_nodes() if re.fullmatch("n[0-9]+", item.get_name())}
        assert [_unquoted(nodes[f"n{number}"].get("label")) for number in range(len(graph.nodes))] == labels(
            graph
        )
        assert len(read.get_edges()) == len(graph.edges)


@pytest.mark.skipif(not shutil.which("dot"), reason="Graphviz is not installed")
def test_graphviz_draws_every_name_as_it_is() -> None:
    for graph in GRAPHS:
        done = subprocess.run(
            ["dot", "-Tplain"], input=dot(graph), capture_output=True, text=True, timeout=30, check=True
        )
        assert done.stderr == ""
        assert done.stdout.count("\nnode ") == len(graph.nodes)
        drawn = subprocess.run(
            ["dot", "-Tsvg"], input=dot(graph), capture_output=True, text=True, timeout=30, check=True
        ).stdout
        texts = [html.unescape(text) for text in re.findall(r"<text [^>]*>(.*?)</text>", drawn)]
        assert {*labels(graph)} <= {text.replace("\xa0", " ") for text in texts}
        assert "<a " not in drawn


def _unquoted(text: str) -> str:
    return html.unescape(text[1:-1].replace('\\"', '"').replace("\\\\", "\\"))


def test_a_plan_colors_what_it_changes() -> None:
    graph = Graph(
        nodes=(
            Node(address=at("tools", "a"), action=Action.DELETE),
            Node(address=at("agents", "b"), is_root=True),
        )
    )
    assert "class n0 delete" in mermaid(graph)
    assert "class n1 root" in mermaid(graph)
    (read,) = pydot.graph_from_dot_data(dot(graph))
    assert read.get_node("n0")[0].get("color") == '"#cf222e"'
