"""What goes wrong in the emulator itself, as an answer that the API could give."""

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from cesplan.emulator.errors import Refused

_LOG = logging.getLogger(__name__)


@contextmanager
def as_refusals(method: str, resource: str) -> Iterator[None]:
    """Let every failure of a call leave as Refused; one that is a defect goes to the log with its trace."""
    try:
        yield
    except Refused:
        raise
    except sqlite3.Error as error:
        # A full disk or a damaged file: nothing that another try would fix.
        raise Refused("FAILED_PRECONDITION", f"The emulator cannot use its data: {error}.") from error
    except Exception as error:
        _LOG.exception("%s %s", method, resource)
        raise Refused("INTERNAL", "Internal error in the emulator. Its log has the traceback.") from error
