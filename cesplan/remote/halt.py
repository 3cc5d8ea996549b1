"""The wish to stop: it wakes whoever sleeps before another try, or for its turn, or for an operation to end."""

import threading


class Halt:
    """Asked for once and never taken back. Safe from any thread."""

    def __init__(self) -> None:
        self._event = threading.Event()

    @property
    def asked(self) -> bool:
        return self._event.is_set()

    def ask(self) -> None:
        """Wake everybody."""
        self._event.set()

    def sleep(self, seconds: float) -> None:
        """Sleep for so long, or until somebody asks."""
        self._event.wait(seconds)
