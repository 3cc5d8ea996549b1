"""Codes of the findings of checks: CES040 to CES099, collected from one file per subject."""

from cesplan.config.codes.graph import GRAPH_CODES
from cesplan.config.codes.mentions import MENTION_CODES
from cesplan.config.codes.open_api import OPEN_API_CODES
from cesplan.config.codes.python import PYTHON_CODES
from cesplan.config.codes.values import VALUE_CODES
from cesplan.domain.diagnostic import Code

CHECK_CODES: tuple[Code, ...] = (
    *PYTHON_CODES,
    *OPEN_API_CODES,
    *VALUE_CODES,
    *GRAPH_CODES,
    *MENTION_CODES,
)
