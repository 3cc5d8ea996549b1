"""Pipelines as values: the YAML that was written, and what a service would put into it."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

_EXPRESSION = re.compile(r"\$\{\{ *(.*?) *\}\}")


def read(path: Path) -> Any:
    """The value of a YAML file."""
    return YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8"))


def filled(text: Any, values: Mapping[str, str]) -> str:
    """A text of a GitHub workflow with its expressions replaced; one that is not expected is a KeyError."""
    return _EXPRESSION.sub(lambda found: values[found[1]], str(text))
