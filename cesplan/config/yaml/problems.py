"""What can be wrong with a text as YAML, before anyone asks what it means."""

from cesplan.config.yaml.nodes import Mark
from cesplan.domain.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """
    One finding: `code` of the table of codes, and the place from `start` to `end` (None: one character).

    `at_opening` asks for the place where what is still open was opened, for anyone who knows it.
    """

    code: str
    start: Mark
    summary: str
    detail: str = ""
    end: Mark | None = None
    at_opening: bool = False
