"""
A server on this machine that answers like ces.googleapis.com (`EmbeddedEmulator`, `serve`).

It must not share code with the client side: it imports nothing of cesplan but itself.
"""

from cesplan.emulator.server import EmbeddedEmulator, serve
from cesplan.emulator.switches import Switches

__all__ = ["EmbeddedEmulator", "Switches", "serve"]
