"""Places: what is composed again says the same as what was kept."""

import gc
from pathlib import Path

import pytest

from cesplan.config.report import SourceFile
from cesplan.config.resource.places import Places
from cesplan.config.tree.load import load
from cesplan.config.yaml.composing import compose
from cesplan.config.yaml.nodes import Mapping
from cesplan.domain.field_path import Entry, FieldPath, Index
from tests.unit.config.planting import plant

_EXAMPLE = Path(__file__).parents[4] / "examples" / "support-desk"


def _paths(value, segments=()):
    yield FieldPath(segments)
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _paths(item, (*segments, Entry(key)))
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from _paths(item, (*segments, Index(place)))


def test_every_place_of_the_example_is_found_again() -> None:
    """Values and their keys, in every file."""
    loaded = load(_EXAMPLE, environ={})
    assert loaded.tree is not None
    [app] = loaded.tree.apps
    count = 0
    for resource in app.resources:
        file = SourceFile(resource.path, (_EXAMPLE / resource.path).read_text())
        root = compose(file.text).root
        assert isinstance(root, Mapping)
        kept = Places.of(file, root)
        for path in _paths(resource.body):
            assert resource.spot(path) == kept.spot(path)
            assert resource.key_spot(path) == kept.key_spot(path)
            count += 1
    assert count > 1000


def test_the_nodes_of_files_are_not_kept() -> None:
    """They take ten times the memory of the text."""
    loaded = load(_EXAMPLE, environ={})
    gc.collect()
    nodes = sum(isinstance(item, Mapping) for item in gc.get_objects())
    assert loaded.tree is not None
    assert nodes < len(loaded.tree.apps[0].resources)


@pytest.mark.parametrize("text", ["", "- a list\n", "displayName: D\n", None])
def test_a_file_that_has_changed_since_is_not_quoted(tmp_path: Path, text: str | None) -> None:
    """Its text is not held: a place in what it was would point into something else."""
    root = plant(tmp_path, {"agents/front-desk.yaml": "displayName: Desk\ninstruction: Help.\n"})
    loaded = load(root, environ={})
    assert loaded.tree is not None
    [agent] = loaded.tree.apps[0].resources
    assert agent.spot(FieldPath(("instruction",))).source_line == "instruction: Help."
    file = root / "apps/store/agents/front-desk.yaml"
    assert loaded.tree.apps[0].app.spot(FieldPath(("displayName",))).source_line == "displayName: Store"
    if text is None:
        file.unlink()
    else:
        file.write_text(text)
    for spot in (agent.spot(FieldPath(("instruction",))), agent.key_spot(FieldPath()), agent.spot(FieldPath())):
        assert (spot.place.file, spot.place.line, spot.source_line) == (agent.path, 1, "")
