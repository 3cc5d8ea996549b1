"""
The stamp: what the last complete apply recorded in an app's metadata, instead of a state file.

Its keys begin with `cesplan-` and belong to cesplan. Anyone who can edit the app may edit them, so they are
read as untrusted input: limited in size, checked against a pattern, and never a reason to do more than the tree
asks for. No value is derived from a secret.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import field, replace
from urllib.parse import quote, unquote

from cesplan.domain.app_metadata.names import PREFIX, TREE_NAME
from cesplan.domain.app_metadata.wrote import NOTHING, Wrote
from cesplan.domain.frozen import dataclass

COMMIT_ID = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")
"""The full id of a commit, SHA-1 or SHA-256."""


def is_commit_id(text: str) -> bool:
    """
    Whether a text is the full id of a commit, SHA-1 or SHA-256.

    git would look up anything shorter as a name: a branch, `HEAD`, an expression, an option.
    """
    return COMMIT_ID.fullmatch(text) is not None


FORMAT = 1
"""The stamp format that this version writes. A newer cesplan writes a greater number."""

SEQUENCE = f"{PREFIX}sequence"
PARTIAL = f"{PREFIX}partial"

OUTSIDE_DIGESTS = frozenset({f"{PREFIX}commit", f"{PREFIX}dirty", f"{PREFIX}made", SEQUENCE})
"""
The applied commit, the position in the change log, and when versions were created: part of no plan digest.

Plans before and after a merge are equal if everything but these keys is equal.
"""

MOST_PARTIAL = 500
"""
The most digests of bodies that are kept; the oldest are dropped first. The API documents no size limit for
metadata; these take 17 KB.
"""

MOST_IDS = 2000
"""The most id marks that are kept: 18 KB. If there would be more, none are kept."""
_MOST_TEXT = 65_536
"""The most characters of one value that are read."""
_ENVIRONMENT = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}")
_DIGEST = re.compile(r"[!-~][ -~]{0,127}")
_APP_NAME = re.compile(r"projects/[^/\s]{1,100}/locations/[^/\s]{1,63}/apps/[^/\s]{1,100}")
_KIND = re.compile(r"[A-Za-z]{1,64}")
_RESOURCE = re.compile(r"[A-Za-z]{1,64}/[A-Za-z0-9][A-Za-z0-9_-]{0,127}")
_BODY_DIGEST = re.compile(r"[0-9a-f]{32}")
_ROTATION = re.compile(r"[!-<>-~]{1,384}=[!-<>-~]{1,384}")
_MADE = re.compile(r"[!-<>-~]{1,384}=[0-9a-f]{8}")
_ID_MARK = re.compile(r"[0-9a-f]{8}")
_QUOTED = re.compile(r"[!-~]{1,384}")
_NUMBER = re.compile(r"[0-9]{1,19}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """
    What the stamp says about the last applies to one app.

    The stamp `is_complete` once a complete apply has recorded its digest. Until then only `partial` counts.
    """

    digest: str = ""
    """The digest of the desired state: with directives, secrets by name only. Empty: no complete apply yet."""
    app: str = ""
    """The resource name of the app. In a copied app this names the original."""
    tree: str = ""
    """The name of the tree that was applied; empty if it had none."""
    environment: str = ""
    """The environment that was applied; empty if there was none."""
    commit: str = ""
    """The full hash of the commit that was applied; empty outside git."""
    dirty: bool = False
    """True when the tree differed from that commit."""
    sequence: int | None = None
    """`sequenceNumber` of the newest change log entry when the plan was made; None if unknown."""
    protected: frozenset[str] = frozenset()
    """The resources with `$protect`, as `<kind>/<id>`. The file, and with it the key, may be gone by now."""
    kinds: frozenset[str] = frozenset()
    """The kinds that had a folder; git does not keep empty folders."""
    versions: frozenset[str] = frozenset()
    """
    The keys of the version files. Each creates a version in the first complete apply that has it, or never.
    """
    ids: frozenset[str] = frozenset()
    """Marks (`id_mark`) of ids that differ from their keys. They tell a changed `$id` from a new one."""
    rotations: Mapping[str, str] = field(default_factory=dict)
    """The rotation markers of secret variables, by name."""
    wrote: Wrote = NOTHING
    """What the apply wrote. All other change log entries before the stamp are edits by someone else."""
    made: Mapping[str, str] = field(default_factory=dict)
    """
    Marks of when versions were created, by the keys of their files. A re-created version has another mark.
    """
    partial: tuple[str, ...] = ()
    """Digests of the bodies that incomplete applies wrote, newest last."""
    format: int = FORMAT

    @property
    def is_complete(self) -> bool:
        return bool(self.digest)

    @property
    def is_newer(self) -> bool:
        """True if a newer cesplan wrote the stamp, so this one cannot interpret it."""
        return self.format > FORMAT

    def says_the_same(self, other: "Stamp") -> bool:
        """True if both record the same state, no matter how it came about or which apply recorded it."""
        one, two = (replace(item, sequence=None, wrote=NOTHING, made={}) for item in (self, other))
        return one == two


NO_STAMP = Stamp()


def read_stamp(metadata: object, app_name: str) -> Stamp:
    """
    The stamp in the metadata of the app with this resource name; an empty one if there is none.

    A stamp that names another app came with a copy and is ignored. A stamp is also ignored if a part that
    identifies its owner is malformed.
    """
    texts = _said(metadata)
    environment, tree = texts.get("environment", ""), texts.get("tree", "")
    app = texts.get("app", app_name)
    number = texts.get("format", str(FORMAT))
    if app != app_name or not _NUMBER.fullmatch(number):
        return NO_STAMP
    if (environment and not _ENVIRONMENT.fullmatch(environment)) or (tree and not TREE_NAME.fullmatch(tree)):
        return NO_STAMP
    sequence = texts.get("sequence", "")
    return Stamp(
        digest=_fitting(_DIGEST, texts.get("digest", "")),
        app=_fitting(_APP_NAME, texts.get("app", "")),
        tree=tree,
        environment=environment,
        commit=_fitting(COMMIT_ID, texts.get("commit", "")),
        dirty=bool(texts.get("dirty")),
        sequence=int(sequence) if _NUMBER.fullmatch(sequence) else None,
        protected=frozenset(_words(_RESOURCE, texts.get("protected", ""))),
        kinds=frozenset(_words(_KIND, texts.get("kinds", ""))),
        versions=frozenset(map(unquote, _words(_QUOTED, texts.get("versions", "")))),
        ids=frozenset(_words(_ID_MARK, texts.get("ids", ""))),
        rotations=dict(_pair(word) for word in _words(_ROTATION, texts.get("rotations", ""))),
        wrote=Wrote.read(texts.get("wrote", "")),
        made=dict(_pair(word) for word in _words(_MADE, texts.get("made", ""))),
        partial=_words(_BODY_DIGEST, texts.get("partial", ""))[-MOST_PARTIAL:],
        format=int(number),
    )


def stamp_texts(stamp: Stamp) -> dict[str, str]:
    """The metadata entries of a stamp; empty fields are left out."""
    values = {
        "format": str(stamp.format),
        "app": stamp.app,
        "tree": stamp.tree,
        "environment": stamp.environment,
        "commit": stamp.commit,
        "dirty": "true" if stamp.dirty else "",
        "digest": stamp.digest,
        "sequence": "" if stamp.sequence is None else str(stamp.sequence),
        "protected": " ".join(sorted(stamp.protected)),
        "kinds": " ".join(sorted(stamp.kinds)),
        "versions": " ".join(sorted(map(_quoted, stamp.versions))),
        "ids": " ".join(sorted(stamp.ids)) if len(stamp.ids) <= MOST_IDS else "",
        "rotations": " ".join(
            f"{_quoted(name)}={_quoted(stamp.rotations[name])}" for name in sorted(stamp.rotations)
        ),
        "wrote": stamp.wrote.text,
        "made": " ".join(f"{_quoted(key)}={mark}" for key, mark in sorted(stamp.made.items())),
        "partial": " ".join(stamp.partial[-MOST_PARTIAL:]),
    }
    return {PREFIX + name: value for name, value in values.items() if value}


def id_mark(kind: str, resource_id: str) -> str:
    """A short mark for an id: enough to recognize it."""
    return hashlib.sha256(f"{kind}/{resource_id}".encode()).hexdigest()[:8]


def _said(metadata: object) -> dict[str, str]:
    items = metadata.items() if isinstance(metadata, Mapping) else ()
    return {
        key.removeprefix(PREFIX): value
        for key, value in items
        if isinstance(key, str)
        and key.startswith(PREFIX)
        and isinstance(value, str)
        and len(value) <= _MOST_TEXT
    }


def _fitting(pattern: re.Pattern[str], text: str) -> str:
    return text if pattern.fullmatch(text) else ""


def _words(pattern: re.Pattern[str], text: str) -> tuple[str, ...]:
    return tuple(word for word in text.split(" ") if pattern.fullmatch(word))


def _quoted(text: str) -> str:
    return quote(text, safe="")


def _pair(word: str) -> tuple[str, str]:
    name, _, marker = word.partition("=")
    return unquote(name), unquote(marker)
