"""
Language models that apps are known to use, and the locations where the service refused them.

No method lists the models of a location, so this is a table with a date and the evidence for each row, taken
from public material. It is never complete: a model that is not in it may be newer.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from cesplan.domain.frozen import dataclass

TABLE = Path(__file__).with_name("language_models.json")


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageModels:
    """`date` is the month of the table; `refused_in` maps each id to the locations that refused it."""

    date: str
    refused_in: Mapping[str, frozenset[str]]


@cache
def language_models() -> LanguageModels:
    """The table."""
    table = json.loads(TABLE.read_bytes())
    return LanguageModels(
        date=table["date"],
        refused_in={name: frozenset(row.get("refused_in", ())) for name, row in table["models"].items()},
    )
