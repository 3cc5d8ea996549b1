"""Failures of the emulator itself, as errors that the API could return."""

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from cesplan.emulator.errors import Refused

_LOG = logging.getLogger(__name__)


@contextmanager
def as_refusals(method: str, resource: str) -> Iterator[None]:
    """Convert all failures of a call to Refused. Bugs are also logged with a traceback."""
    try:
        yield
    except Refused:
        raise
    except sqlite3.Error as error:
        # A full disk or a damaged file, which a retry would not fix.
        raise Refused("FAILED_PRECONDITION", f"The emulator cannot use its data: {error}.") from error
    except Exception as error:
        _LOG.exception("%s %s", method, resource)
        raise Refused("INTERNAL", "Internal error in the emulator. Its log has the traceback.") from error
