"""
The YAML style of exports: 80 columns, `|` for multi-line texts, and no indentation of lists.

A plain text is folded at the first space after the width, and never before its first word.
"""

import io
import re
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.emitter import Emitter
from ruamel.yaml.scalarstring import LiteralScalarString, SingleQuotedScalarString

_NO_TEXT_IN_1_1 = re.compile("y|n|yes|no|on|off", re.IGNORECASE)
"""Plain words that YAML 1.1 parsers read as true or false."""


def yaml_text(value: Any) -> str:
    """Return YAML in the style of the service."""
    yaml = YAML()
    yaml.Emitter = _FoldingAtSpaces
    yaml.width = 80
    out = io.StringIO()
    yaml.dump(_marked(value), out)
    return out.getvalue()


def _marked(item: Any) -> Any:
    match item:
        case dict():
            return {key: _marked(inner) for key, inner in item.items()}
        case list():
            return [_marked(inner) for inner in item]
        case str() if "\n" in item:
            return LiteralScalarString(item)
        case str() if _NO_TEXT_IN_1_1.fullmatch(item):
            return SingleQuotedScalarString(item)
    return item


class _FoldingAtSpaces(Emitter):
    def write_plain(self, text: str, split: bool = True) -> None:
        if not text:
            return
        if not self.whitespace:
            self._put(" ")
        self.whitespace = self.indention = False
        for number, part in enumerate(re.split(r"(?<! ) (?! )", text)):
            if number and split and self.column > self.best_width:
                self.write_indent()
                self.whitespace = self.indention = False
            elif number:
                self._put(" ")
            self._put(part)

    def _put(self, text: str) -> None:
        self.column += len(text)
        self.stream.write(text)
