"""Whatever is in a file, loading answers with diagnostics."""

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from cesplan.domain.diagnostic import Severity
from cesplan.model.kinds import KINDS
from tests.unit.config.planting import PROJECT, plant, read

_WORDS = sorted(
    {field for kind in KINDS.values() for field in kind.spec.fields}
    | {
        "name",
        "schema",
        "properties",
        "default",
        "pythonCode",
        "text",
        "chunks",
        "turns",
        "steps",
        "agent",
        "tool",
    }
    | {
        "$id",
        "$ignore",
        "$extra",
        "$silence",
        "$protect",
        "$ownership",
        "$file",
        "$var",
        "$ref",
        "$expand",
        "$$x",
    }
    | {"cesplan", "project", "variables", "environments", "secret", "type", "prod"}
)
_LEAVES = st.one_of(
    st.sampled_from(["front-desk", "agents/front-desk", "${name}",
                     "${", "${missing}", "$${x}", "OBJECT", "30s", "../a.md"]),
    st.sampled_from([None, True, False, 0, -1, 1.5, float("inf"),
                     2**70, "", "x", "a.md", "CES040", "full", "prod"]),
    st.text(max_size=8),
)  # fmt: skip
_VALUES = st.recursive(
    _LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(_WORDS), inner, max_size=4)
    ),
    max_leaves=12,
)
_BODIES = st.dictionaries(st.sampled_from(_WORDS), _VALUES, max_size=5)
_FILES = (
    "cesplan.yaml",
    "app.yaml",
    "agents/front-desk.yaml",
    "examples/first-one.yaml",
    "deployments/insta-chat.yaml",
)
FEW = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def as_yaml(value: Any) -> str:
    out = StringIO()
    YAML(typ="safe").dump(value, out)
    return out.getvalue()


@pytest.fixture(scope="module", params=_FILES)
def tree(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A tree, and the file in it that may hold anything."""
    files = {"agents/front-desk.yaml": "displayName: Front desk\n", "agents/a.md": "Hello ${name}\n"}
    project = PROJECT + "variables: {name: Ada, key: {secret: true}, list: [1]}\nenvironments: {prod: {}}\n"
    root = plant(tmp_path_factory.mktemp("tree"), files, project=project)
    path = root / ("" if request.param == "cesplan.yaml" else "apps/store") / request.param
    path.parent.mkdir(exist_ok=True)
    return root, path


def survives(tree: tuple[Path, Path], content: str | bytes) -> None:
    root, target = tree
    target.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
    loaded = read(root, variables={"key": "hunter2"})
    errors = [item for item in loaded.diagnostics if item.severity is Severity.ERROR]
    assert (loaded.desired is None) == bool(errors)
    assert "hunter2" not in repr(loaded)


@FEW
@given(st.one_of(st.text(max_size=80), st.binary(max_size=60)))
def test_any_bytes_are_answered(tree: tuple[Path, Path], content: str | bytes) -> None:
    """Every file of a tree may hold anything."""
    survives(tree, content)


@FEW
@given(_BODIES)
def test_any_mapping_is_answered(tree: tuple[Path, Path], body: dict[str, Any]) -> None:
    """Known fields and directives with values that do not fit them are diagnostics."""
    survives(tree, as_yaml(body))
