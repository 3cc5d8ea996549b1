"""Two environments that are one live app, and patterns that protect nothing."""

from pathlib import Path

import pytest

from tests.unit.config.planting import plant, read

PROJECT = """\
cesplan: 1
project: acme
location: us
environments: {staging: , prod: }
"""
APP: dict[str, str | bytes] = {"/apps/store/app.yaml": "displayName: Store\n"}
OVER = "/environments/prod/apps/store/app.yaml"


def codes(root: Path) -> list[str]:
    """What is found of environments in staging."""
    return [item.code for item in read(root, environment="staging").diagnostics if item.code > "CES100"]


@pytest.mark.parametrize(
    ("files", "is_one"),
    [
        ({}, True),
        ({"/apps/store/app.yaml": "$id: {prod: store-of-prod}\ndisplayName: Store\n"}, False),
        ({"/apps/store/app.yaml": "$id: the-store\ndisplayName: Store\n"}, True),
        ({OVER: "$id: store-of-prod\n"}, False),
        ({OVER: "$exclude: true\n"}, False),
        ({OVER: "description: Prod.\n"}, True),
    ],
)
def test_one_live_app_of_two_environments_is_a_warning(
    tmp_path: Path, files: dict[str, str | bytes], is_one: bool
) -> None:
    """Whatever says the id: the key, `$id`, a map, or what lies over the app in the other environment."""
    root = plant(tmp_path, {**APP, **files}, project=PROJECT)
    assert codes(root) == (["CES105"] if is_one else [])


@pytest.mark.parametrize("more", ["project: other", "location: eu", "endpoint: ces.us.rep.googleapis.com"])
def test_another_place_is_another_app(tmp_path: Path, more: str) -> None:
    root = plant(tmp_path, APP, project=PROJECT.replace("prod: ", f"prod: {{{more}}}"))
    assert codes(root) == []


def test_an_app_of_one_environment_alone_is_not_in_the_other(tmp_path: Path) -> None:
    more: dict[str, str | bytes] = {"/environments/staging/apps/try-out/app.yaml": "displayName: Try\n"}
    apart = "$id: {prod: store-of-prod}\ndisplayName: Store\n"
    assert codes(plant(tmp_path, {**APP, "/apps/store/app.yaml": apart, **more}, project=PROJECT)) == []


@pytest.mark.parametrize(
    ("pattern", "suggestion"),
    [
        ("store", None),
        ("store/agents/gone", None),
        ("st*/agents/*", None),
        ("agents", None),
        ("agents/gone", None),
        ("store/app", None),
        ("'@us/securitySettings'", None),
        ("'*'", None),
        ("stoer", "store"),
        ("store/agent/gone", "store/agents/gone"),
        ("stoer/agents/gone", "store/agents/gone"),
        ("nothing/like/this", ""),
        ("a/b/c/d", ""),
    ],
)
def test_a_pattern_that_can_mean_nothing_is_a_warning(
    tmp_path: Path, pattern: str, suggestion: str | None
) -> None:
    """A key that is not there may still be live."""
    root = plant(
        tmp_path, APP, project=PROJECT.replace("prod: ", f"prod: {{location: eu, protect: [{pattern}]}}")
    )
    project = root / "cesplan.yaml"
    project.write_text(project.read_text().replace("@us", "@eu"))
    loaded = read(root, environment="prod")
    assert [item.suggestion for item in loaded.diagnostics if item.code == "CES104"] == (
        [] if suggestion is None else [suggestion]
    )
