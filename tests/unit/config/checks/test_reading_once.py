"""Texts are read once for all checks of a run, however many there are, and let go of afterwards."""

import ast
from typing import Any

import pytest

from cesplan.config.checks import CHECKS, forget, open_api_reading
from cesplan.config.checks.open_api_reading import read_open_api
from cesplan.config.checks.python_code import parse
from tests.unit.config.checks.builders import app


def _read_in_checks(monkeypatch: pytest.MonkeyPatch, module: Any, name: str, **kinds: Any) -> int:
    """How often a function is called while every check looks at an app."""
    read = 0
    original = getattr(module, name)

    def counted(*given: Any, **more: Any) -> Any:
        nonlocal read
        read += 1
        return original(*given, **more)

    forget()
    monkeypatch.setattr(module, name, counted)
    tree = app(**kinds)
    for check in CHECKS:
        check(tree)
    return read


def test_each_python_text_is_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache of a fixed size, read in a circle, forgets each text right before it is asked for again."""
    many = {
        f"tool-{n}": {"pythonFunction": {"name": f"f{n}", "pythonCode": f"def f{n}(): ..."}}
        for n in range(4200)
    }
    assert _read_in_checks(monkeypatch, ast, "parse", tools=many) == 4200
    assert len(parse) == 4200


def test_each_document_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    many = {f"api-{n}": {"openApiToolset": {"openApiSchema": f"{{openapi: 3.0.{n}}}"}} for n in range(300)}
    agent = {"toolsets": [{"toolset": f"toolsets/api-{n}", "toolIds": ["one"]} for n in range(300)]}
    read = _read_in_checks(monkeypatch, open_api_reading, "compose", toolsets=many, agents={"desk": agent})
    assert read == 300


def test_nothing_is_kept_after_a_run() -> None:
    parse("x = 1")
    read_open_api("{}")
    forget()
    assert len(parse) == len(read_open_api) == 0
