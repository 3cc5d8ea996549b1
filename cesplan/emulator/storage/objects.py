"""
A substitute for Cloud Storage: bytes under gs:// addresses, in the emulator's own store.

    PUT /emulator/objects?uri=gs://bucket/key    GET /emulator/objects?uri=gs://bucket/key
"""

import re

from cesplan.emulator.errors import Refused, invalid
from cesplan.emulator.storage.store import Store

_URI = re.compile(r"gs://[^/]+/.+")


def write(store: Store, uri: str, data: bytes) -> None:
    """Store an object. Raise Refused for an invalid URI."""
    _check(uri)
    store.put_object(uri, data)


def read(store: Store, uri: str) -> bytes:
    """Return an object. Raise Refused if there is none."""
    _check(uri)
    data = store.object(uri)
    if data is None:
        raise Refused("NOT_FOUND", f"There is no object '{uri}' (the emulator keeps its own).")
    return data


def _check(uri: str) -> None:
    if not _URI.fullmatch(uri):
        raise invalid("gcsUri", f"'{uri}' is not gs://BUCKET/OBJECT")
