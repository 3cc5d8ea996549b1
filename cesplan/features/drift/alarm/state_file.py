"""
The state of the alarm in a file: private, replaced as a whole, and only if it has not changed since it was
read.
"""

import hashlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cesplan.config.files import read_regular
from cesplan.config.writing.outputs import check_output_file
from cesplan.config.writing.whole_files import PRIVATE, write_whole
from cesplan.domain.errors import CesplanError
from cesplan.domain.frozen import dataclass
from cesplan.features.drift.alarm.memory import Kept, WrittenMeanwhile

MOST_BYTES = 8 * 1024 * 1024
_NOTHING = "nothing"
"""The version of a file that is not there."""


@dataclass(frozen=True, slots=True)
class StateFile:
    """
    A file as a keeper. Its version is a digest of its content. Next to it is an empty file `.NAME.lock`, which
    runs on one machine lock during a write.
    """

    path: Path

    @property
    def name(self) -> str:
        return str(self.path)

    def read(self) -> Kept:
        try:
            data = read_regular(self.path, MOST_BYTES)
        except FileNotFoundError:
            return Kept(text=None, version=_NOTHING)
        except OSError as error:
            raise self._unusable("read", error) from error
        return Kept(text=data.decode("utf-8", "replace"), version=hashlib.sha256(data).hexdigest())

    def write(self, text: str, version: str) -> str:
        check_output_file(self.path)
        try:
            with _locked(self.path.with_name(f".{self.path.name}.lock")):
                if self.read().version != version:
                    raise WrittenMeanwhile
                write_whole(self.path, text, mode=PRIVATE)
        except OSError as error:
            raise self._unusable("written", error) from error
        return hashlib.sha256(text.encode()).hexdigest()

    def _unusable(self, what: str, error: OSError) -> CesplanError:
        reason = (error.strerror or str(error)).lower()
        return CesplanError(summary=f"The state file {self.path} cannot be {what}: {reason}.")


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Alone on this machine, as long as the context lasts; a lock ends with its process. Raises OSError."""
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    descriptor = os.open(path, flags, PRIVATE)
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_LOCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
