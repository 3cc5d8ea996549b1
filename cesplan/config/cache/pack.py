"""
Packs: the entries of one app, in memory and as the bytes of one file.

An entry is a plain value (None, bool, int, float, str, bytes, tuple, list, dict) under a digest of what it was
made from. The bytes are a code over the rest, and a marshalled mapping from digests to marshalled values.
Marshal is not made for hostile bytes; it gets only those whose code, made with a secret key, is right.
"""

import marshal
from hashlib import blake2b
from hmac import compare_digest
from typing import Any

_CODE_SIZE = 32
_MAGIC = b"cesplan-1"
"""The form of a pack, and what makes a code of it differ from any other use of the key."""
MOST_STALE = 1
"""Bytes of entries that a run did not use, for each that it used: a branch that one comes back to."""


class Pack:
    """
    The entries of one app. One that `is_on` False finds nothing and keeps nothing.

    `never` are texts, such as secrets, of which nothing is kept that is made of a text with one of them inside.
    """

    def __init__(self, key: bytes = b"", entries: dict[bytes, bytes] | None = None) -> None:
        self.is_on = bool(key)
        self.never: frozenset[str] = frozenset()
        self.has_news = False
        self._key = key
        self._entries = entries or {}
        self._used: dict[bytes, bytes] = {}

    def digest(self, what: str, *parts: str) -> bytes:
        """The digest of the content from which a value of some sort is made."""
        data = [part.encode("utf-8", "surrogatepass") for part in (what, *parts)]
        framed = b"".join([b"%d:%b" % (len(item), item) for item in data])
        return blake2b(framed, key=self._key, digest_size=20, person=_MAGIC).digest()

    def get(self, digest: bytes) -> Any:
        """The value under a digest, made anew each time; None if there is none."""
        data = self._used.get(digest) or self._entries.get(digest)
        if data is None:
            return None
        self._used[digest] = data
        return marshal.loads(data)

    def put(self, digest: bytes, value: Any, *made_of: str) -> bool:
        """Keep a value that is made of some texts, unless it is none that can be kept; whether it is kept."""
        if not self.is_on or any(word in text for word in self.never for text in made_of):
            return False
        try:
            data = marshal.dumps(value)
        except ValueError:  # something in it is no plain value
            return False
        self._used[digest] = data
        self.has_news = True
        return True

    def written(self, mark: bytes) -> bytes:
        """The file of a pack: what was used, and some of what was not."""
        kept = dict(self._used)
        left = MOST_STALE * sum(map(len, kept.values()))
        for digest, data in self._entries.items():
            if digest not in kept and len(data) <= left:
                kept[digest] = data
                left -= len(data)
        data = marshal.dumps((mark, kept))
        return _code(self._key, data) + data


def read_pack(data: bytes, key: bytes, mark: bytes) -> Pack:
    """The pack in the bytes of a file; an empty one if they are not what a run with this mark and key wrote."""
    content = memoryview(data)[_CODE_SIZE:]
    if not compare_digest(_code(key, content), data[:_CODE_SIZE]):
        return Pack(key)
    found, entries = marshal.loads(content)
    return Pack(key, entries if found == mark else None)


def _code(key: bytes, data: bytes | memoryview) -> bytes:
    return blake2b(data, key=key, digest_size=_CODE_SIZE, person=_MAGIC).digest()
