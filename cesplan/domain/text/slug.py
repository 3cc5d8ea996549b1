"""Slugs: display names turned into file names and ids, `Front Desk` → `front-desk`."""

import hashlib
import re
import unicodedata
from collections.abc import Collection

from cesplan.domain.resource_name import ID_PATTERN

LONGEST = 36
"""The maximum length of an id (docs/api-facts.md), so that most keys can be ids in another environment."""

_RESERVED = re.compile(r"(?i:con|prn|aux|nul|com[0-9]|lpt[0-9])")
_UNRESERVED = "-item"

_SPELLED_OUT = str.maketrans(
    {"ß": "ss", "æ": "ae", "Æ": "AE", "ø": "o", "Ø": "O", "đ": "d", "ł": "l", "Ł": "L"}
)


def slug(text: str) -> str:
    """A name in kebab case, ASCII letters and digits only; empty if nothing is left."""
    plain = unicodedata.normalize("NFKD", text.translate(_SPELLED_OUT)).encode("ascii", "ignore").decode()
    words = re.findall(r"[a-z0-9]+", plain.lower().replace("'", ""))
    found = _cut("-".join(words))
    return f"{found}{_UNRESERVED}" if is_reserved(found) else found


def is_reserved(name: str) -> bool:
    """
    Whether Windows reserves a name for a device, with any extension; a checkout there cannot hold the file.

    Source: https://learn.microsoft.com/windows/win32/fileio/naming-a-file
    """
    return _RESERVED.fullmatch(name) is not None


def reserved_in(key: str) -> str:
    """The reserved name that a slug was made from; empty for any other key."""
    name = key.removesuffix(_UNRESERVED)
    return name if name != key and is_reserved(name) else ""


def distinct_slug(text: str, word: str, used: Collection[str]) -> str:
    """
    An unused slug, based on `word` if nothing is left of the text.

    The suffix that makes it unique is derived from the text alone, so it does not depend on other slugs.
    """
    plain = slug(text) or slug(word)
    if plain not in used and slug(text):
        return plain
    digest = hashlib.sha256(text.encode()).hexdigest()
    sizes = range(4, len(digest) + 1)
    return next(
        name for size in sizes if (name := f"{plain[: LONGEST - size - 1]}-{digest[:size]}") not in used
    )


def id_of(key: str, word: str) -> str:
    """A stable id for a key: the key itself if it is a valid id, else the key with a word appended."""
    candidates = (
        key,
        f"{slug(key)}-{slug(word)}",
        f"{slug(word)}-{hashlib.sha256(key.encode()).hexdigest()[:8]}",
    )
    return next(name for text in candidates if ID_PATTERN.fullmatch(name := _cut(text)))


def _cut(text: str) -> str:
    """Cut a text to the maximum length, between words if possible."""
    if len(text) <= LONGEST:
        return text
    head = text[: LONGEST + 1].rpartition("-")[0]
    return head if len(head) > LONGEST // 2 else text[:LONGEST].rstrip("-")
