"""Problems with a text as YAML, whatever it means."""

from cesplan.config.yaml.nodes import YamlMark
from cesplan.domain.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class YamlProblem:
    """
    One finding: a `code` from the table of codes, and a place from `start` to `end` (None: one character).

    `at_opening` means that the place to show is where the unclosed quote or bracket begins, if known.
    """

    code: str
    start: YamlMark
    summary: str
    detail: str = ""
    end: YamlMark | None = None
    at_opening: bool = False
