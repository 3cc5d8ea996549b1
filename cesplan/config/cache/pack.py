"""
Packs: the cache entries of one app, in memory and as one file.

An entry is a plain value (None, bool, int, float, str, bytes, tuple, list, dict) under the digest of what it
was made from. The file is an authentication code, followed by a marshalled mapping from digests to marshalled
values. Marshal is unsafe for hostile input, so it only gets bytes whose code, made with a secret key, is valid.
"""

import marshal
from collections.abc import Callable
from hashlib import blake2b
from hmac import compare_digest
from typing import Any

_CODE_SIZE = 32
_MAGIC = b"cesplan-1"
"""The format of a pack. It also makes the code differ from any other use of the key."""
_LARGE = 512
"""The size of an entry in bytes that is worth reading again if the pack must be written."""
MOST_STALE = 1
"""The bytes of unused entries to keep, per byte used: they may belong to a branch that is checked out again."""


class Pack:
    """
    The entries of one app. If `is_on` is false, it finds and keeps nothing.

    `never` are texts such as secrets: no entry is kept that is made from a text containing one of them.
    """

    def __init__(
        self,
        key: bytes = b"",
        entries: dict[bytes, bytes] | None = None,
        again: Callable[[], "Pack"] | None = None,
    ) -> None:
        """`again` reads the same pack once more. With it, large entries are not held once they were used."""
        self.is_on = bool(key)
        self.never: frozenset[str] = frozenset()
        self.has_news = False
        self._key = key
        self._entries = entries or {}
        self._used: dict[bytes, bytes] = {}
        self._again = again
        self._dropped: set[bytes] = set()

    def digest(self, what: str, *parts: str | bytes) -> bytes:
        """The digest of the content from which a value of a given sort is made."""
        data = [
            part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
            for part in (what, *parts)
        ]
        framed = b"".join([b"%d:%b" % (len(item), item) for item in data])
        return blake2b(framed, key=self._key, digest_size=20, person=_MAGIC).digest()

    def get(self, digest: bytes) -> Any:
        """A new copy of the value under a digest; None if there is none."""
        data = self._used.get(digest) or self._entries.get(digest)
        if data is None:
            return None
        if self._again is not None and len(data) > _LARGE and digest in self._entries:
            del self._entries[digest]
            self._dropped.add(digest)
        else:
            self._used[digest] = data
        return marshal.loads(data)

    def put(self, digest: bytes, value: Any, *made_of: str) -> bool:
        """Keep a value made from these texts, if it can be kept. Returns whether it was."""
        if not self.is_on or any(word in text for word in self.never for text in made_of):
            return False
        try:
            data = marshal.dumps(value)
        except ValueError:  # something in it is not a plain value
            return False
        self._used[digest] = data
        self.has_news = True
        return True

    def written(self, mark: bytes) -> tuple[bytes, bytes]:
        """The code of the pack's file and its content: the used entries, and some of the unused ones."""
        kept = dict(self._used)
        if self._again is not None and self._dropped:
            entries = self._again()._entries
            kept |= {digest: entries[digest] for digest in self._dropped if digest in entries}
        left = MOST_STALE * sum(map(len, kept.values()))
        for digest, data in self._entries.items():
            if digest not in kept and len(data) <= left:
                kept[digest] = data
                left -= len(data)
        data = marshal.dumps((mark, kept))
        return _code(self._key, data), data


def read_pack(data: bytes, key: bytes, mark: bytes, again: Callable[[], Pack] | None = None) -> Pack:
    """
    The pack in the bytes of a file; an empty pack if no run with this mark and key wrote them. `again` as for
    Pack.
    """
    content = memoryview(data)[_CODE_SIZE:]
    if not compare_digest(_code(key, content), data[:_CODE_SIZE]):
        return Pack(key)
    found, entries = marshal.loads(content)
    return Pack(key, entries if found == mark else None, again)


def _code(key: bytes, data: bytes | memoryview) -> bytes:
    return blake2b(data, key=key, digest_size=_CODE_SIZE, person=_MAGIC).digest()
