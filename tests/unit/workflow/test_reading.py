"""What is read for a plan, and what is not."""

from pathlib import Path

import pytest

from cesplan.domain.desired import Desired, DesiredApp
from cesplan.workflow.reading import kinds_to_list
from cesplan.workflow.validating import desired_of, validate

_MINIMAL = """\
cesplan: 1
project: acme-dev
location: us
apiVersion: {version}
"""


def _desired(folder: Path, version: str = "v1beta", **files: str) -> tuple[Desired, DesiredApp]:
    texts = {
        "cesplan.yaml": _MINIMAL.format(version=version),
        "apps/help-desk/app.yaml": "displayName: Help desk\n",
        **{f"apps/help-desk/{path}": text for path, text in files.items()},
    }
    for path, text in texts.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    desired = desired_of(validate(folder))
    return desired, desired.apps[0]


def _listed(desired: Desired, app: DesiredApp) -> list[str]:
    return [kind.name for kind in kinds_to_list(desired, app)]


def test_versions_are_left_out_of_most_plans(tmp_path: Path) -> None:
    """They are large and nobody asks for them."""
    assert "versions" not in _listed(*_desired(tmp_path))


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("versions/release-1.yaml", "displayName: Release 1\n"),
        (
            "deployments/web-chat.yaml",
            "displayName: Web\nappVersion: versions/@1b2c3d4e\nchannelProfile: {channelType: API}\n",
        ),
    ],
)
def test_versions_are_read_where_the_tree_has_or_names_one(tmp_path: Path, path: str, text: str) -> None:
    """A deployment that names one is enough."""
    assert "versions" in _listed(*_desired(tmp_path, **{path: text}))


def test_the_stable_version_has_fewer_kinds(tmp_path: Path) -> None:
    """What v1 does not know is not asked for."""
    assert _listed(*_desired(tmp_path, version="v1")) == [
        "tools", "toolsets", "guardrails", "agents", "examples", "deployments",
    ]  # fmt: skip
