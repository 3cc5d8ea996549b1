"""
YAML as the service writes it: 80 columns, `|` for multi-line texts, lists not indented.
"""

import io
import re
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.emitter import Emitter
from ruamel.yaml.nodes import ScalarNode
from ruamel.yaml.representer import SafeRepresenter

WIDTH = 80

_TEXT = "tag:yaml.org,2002:str"
_UNPRINTABLE = re.compile(
    "[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
"""Characters that need a quoted text, not a block or a plain one; carriage returns are included."""

_NO_TEXT_IN_1_1 = re.compile(
    r"y|n|yes|no|on|off|[-+]?0b[01_]+|[-+]?0o?[0-7_]+|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?"
    r"|[-+]?[0-9][0-9_]*(?:\.[0-9_]*)?|[-+]?\.[0-9_]+|=|<<|\d{4}-\d\d?-\d\d?(?:[Tt ].*)?",
    re.IGNORECASE,
)
"""Plain words that YAML 1.1, which the service reads, does not read as strings."""


def yaml_text(value: dict[str, Any]) -> str:
    """The contents of a text file."""
    yaml = YAML(typ="safe", pure=True)
    yaml.Emitter = _Emitter
    yaml.Representer = _Representer
    yaml.default_flow_style = False
    yaml.width = WIDTH
    yaml.allow_unicode = True
    stream = io.StringIO()
    yaml.dump(value, stream)
    return stream.getvalue()


class _Emitter(Emitter):
    """
    Folds plain texts at the first space past the width, as other emitters do, never earlier.

    Texts with escapes stay on one line: ruamel.yaml folds them in a way that adds a space when read.
    """

    def write_double_quoted(self, text: str, split: bool = True) -> None:
        super().write_double_quoted(text, split=False)

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


class _Representer(SafeRepresenter):
    """Mappings in the given order, multi-line texts as blocks, no aliases."""

    def ignore_aliases(self, data: Any) -> bool:
        return True

    def represent_text(self, data: str) -> ScalarNode:
        style = None
        if _UNPRINTABLE.search(data):
            style = '"'
        elif "\n" in data:
            style = "|"
        elif _NO_TEXT_IN_1_1.fullmatch(data):
            style = "'"
        return self.represent_scalar(_TEXT, data, style=style)

    def represent_ordered(self, data: dict[str, Any]) -> Any:
        return self.represent_mapping("tag:yaml.org,2002:map", list(data.items()))


_Representer.add_representer(str, _Representer.represent_text)
_Representer.add_representer(dict, _Representer.represent_ordered)
