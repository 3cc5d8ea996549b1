"""
Which functions call themselves, or each other in a circle, and why each is not one of the common walks.

Plain JSON values are walked by `cesplan.domain.value`, bodies that a schema leads by `cesplan.model.walk`. What
comes from outside nests at most 100 levels, so that none of these ends in a RecursionError.
"""

import ast
from collections.abc import Iterator
from typing import NamedTuple

from tests.sources import ROOT, no_collection, texts, tree_of

COMMON = "one of the common walks"
BODIES = "goes through several bodies at once: what one of them lacks decides for its inside"
WRITES = "how a value begins depends on the text of what is in it"
NODES = "nodes of YAML, which know where they are"
JSON_SCHEMA = "a JSON Schema: a keyword decides what is inside it, and references are followed"
SHAPES = "the shapes of a file, a table of ours"
FOLDERS = "folders in folders"
ENDS = "the second call takes another way"
HOT = "every value of a tree or of what is live: each step of a common walk would count"

ALLOWED = {
    "cli.reports:Reports.stream": ENDS,
    "config.branches:_tree": FOLDERS,
    "config.cache.fingerprint:_files": FOLDERS,
    "config.editing.aligning:_likeness": BODIES,
    "config.editing.layer_choice:_Split.bodies": BODIES,
    "config.editing.layer_choice:_laid_over": BODIES,
    "config.editing.reconciling:Reconciler.value": BODIES,
    "config.overlays.discovering:_Search._check_strays": FOLDERS,
    "config.overlays.merging:merged": NODES,
    "config.overlays.patching:_node": NODES,
    "config.resource.sound:SoundBody.message": HOT,
    "config.resource.walk:Walk.message": NODES,
    "config.resource.walk:Walk.free_form": NODES,
    "config.tree.load:load": ENDS,
    "config.writing.emitting:inline": WRITES,
    "config.writing.emitting:value_lines": WRITES,
    "config.yaml.nodes:folded_node": COMMON,
    "domain.text.diff3:_settle": "what is left of a group of edits",
    "domain.value:differing_places": COMMON,
    "domain.value:folded": COMMON,
    "domain.value:with_leaves": COMMON,
    "engine.comparing.bodies:_Arranging._one": BODIES,
    "engine.comparing.diff:_Diff._leaf": BODIES,
    "engine.comparing.diff:_Diff.message": BODIES,
    "engine.comparing.diff:_Diff._keeps_something": BODIES,
    "engine.comparing.normalize:Canonical.message": HOT,
    "engine.comparing.pairs:hidden": BODIES,
    "engine.comparing.sharing:_with_shared": BODIES,
    "engine.comparing.sharing:share": BODIES,
    "engine.comparing.unchanged:_Agreeing.agrees": BODIES,
    "engine.planning.first_contact:_Laying.message": BODIES,
    "features.export_layout.environment:_find": NODES,
    "features.export_layout.field_names:FieldNames.message": NODES,
    "features.export_layout.native_nodes:NativeNodes.message": NODES,
    "features.export_layout.shape:Shaping.message": "makes two bodies of one",
    "features.history.edit_log:EditLog._newest": ENDS,
    "features.merge.fields:_Merge.message": BODIES,
    "features.merge.fields:_Merge._free": BODIES,
    "features.releases.files.editor_schema:_of": SHAPES,
    "features.releases.files.shapes:read": SHAPES,
    "features.typed_diffs.documents:Sides._equal": JSON_SCHEMA,
    "features.typed_diffs.documents:normalized": JSON_SCHEMA,
    "features.typed_diffs.python_code:_definitions.walk": "the syntax tree of Python",
    "features.typed_diffs.schemas:_Comparison.schemas": JSON_SCHEMA,
    "features.typed_diffs.tool_schemas:_spelled": JSON_SCHEMA,
    "features.weakening.weakening:weakened": BODIES,
    "model.walk:FieldWalk._collect": COMMON,
    "model.walk:Rewriting.message": COMMON,
    "render.field_redactor:FieldRedactor._walk": "goes into what the model does not know, too, and stops early",
    "render.machine.formats.base:_conversion": SHAPES,
    "render.machine.formats.schemas:_describe": SHAPES,
    "render.machine.formats.schemas:_shapes": SHAPES,
    "render.machine.formats.schemas:_shapes_in": SHAPES,
    "render.values:outline": WRITES,
    "workflow.starting:_starter": FOLDERS,
}
"""By one function of each circle."""


def test_recursive_functions_are_known_and_have_a_reason():
    """A new walk over values of its own is one too many. The emulator shares no code, and has its own."""
    with no_collection():
        found = circles(calls())
    assert [sorted(circle) for circle in found if not circle & ALLOWED.keys()] == []
    assert [name for name in ALLOWED if not any(name in circle for circle in found)] == []


class Scope(NamedTuple):
    """A function in a module: where its names are looked up. `owner` is its class, if it has one."""

    module: str
    node: ast.FunctionDef
    inside: str
    owner: str


def calls() -> dict[str, set[str]]:
    """Each function and those whose names it uses: of its module, imported ones, methods of its class."""
    trees = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts): tree_of(path)
        for path in texts()
        if path.relative_to(ROOT).parts[0] != "emulator"
    }
    scopes = {
        f"{module}:{scope.inside}{scope.node.name}": scope
        for module, tree in trees.items()
        for scope in functions(module, tree)
    }
    known = {module: imported(tree) for module, tree in trees.items()}
    return {name: {*used(name, scope, known[scope.module])} & scopes.keys() for name, scope in scopes.items()}


def functions(module: str, node: ast.AST, inside: str = "", owner: str = "") -> Iterator[Scope]:
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.FunctionDef(name=name):
                yield Scope(module, child, inside, owner)
                yield from functions(module, child, f"{inside}{name}.", owner)
            case ast.ClassDef(name=name):
                yield from functions(module, child, f"{inside}{name}.", f"{inside}{name}.")
            case ast.stmt() | ast.ExceptHandler() | ast.match_case():
                yield from functions(module, child, inside, owner)


def imported(tree: ast.Module) -> dict[str, str]:
    return {
        alias.asname or alias.name: f"{(node.module or '').removeprefix('cesplan.')}:{alias.name}"
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def used(name: str, scope: Scope, known: dict[str, str]) -> Iterator[str]:
    module, node, inside, owner = scope
    parts = [*ast.walk(node)]
    local = {item.id for item in parts if isinstance(item, ast.Name) and isinstance(item.ctx, ast.Store)}
    local |= {item.arg for item in parts if isinstance(item, ast.arg)}
    for item in parts:
        match item:
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=attr):
                yield f"{module}:{owner}{attr}"
            case ast.Attribute(value=ast.Name(id=text), attr=attr):
                yield f"{module}:{text}.{attr}"
            case ast.Name(id=text) if text not in local:
                yield from (f"{name}.{text}", f"{module}:{text}", known.get(text, ""))
                if inside != owner:
                    yield f"{module}:{inside}{text}"


def circles(graph: dict[str, set[str]]) -> list[frozenset[str]]:
    """The functions that lead back to themselves, each with those that it leads to and that lead to it."""
    while left := {name: after & graph.keys() for name, after in graph.items() if after & graph.keys()}:
        if left == graph:
            break
        graph = left
    reached = {name: reachable(graph, name) for name in graph}
    return [
        *{
            frozenset(item for item in found if name in reached[item])
            for name, found in reached.items()
            if name in found
        }
    ]


def reachable(graph: dict[str, set[str]], start: str) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        new = graph[waiting.pop()] - found
        found |= new
        waiting += new
    return found
