"""Places: what is composed again says the same as what was kept."""

import gc
from pathlib import Path

from cesplan.config.report import SourceFile
from cesplan.config.resource.places import Places
from cesplan.config.tree.load import load
from cesplan.config.yaml.composing import compose
from cesplan.config.yaml.nodes import Mapping
from cesplan.domain.field_path import Entry, FieldPath, Index

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
        kept = Places.of(file, root, keeps=True)
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
