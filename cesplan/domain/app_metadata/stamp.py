"""
The stamp: what the last complete apply left in an app's metadata, instead of a state file.

Its keys begin with `cesplan-` and belong to cesplan. Anyone who can edit the app may edit them, so they are
read as untrusted bytes: bounded, each checked against its pattern, and never a reason to do more than the tree
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

    Anything shorter is a name that git looks up: a branch, `HEAD`, an expression, an option.
    """
    return COMMIT_ID.fullmatch(text) is not None


FORMAT = 1
"""The format of the stamp that this version writes. A greater one was left by a newer cesplan."""

SEQUENCE = f"{PREFIX}sequence"
PARTIAL = f"{PREFIX}partial"

OUTSIDE_DIGESTS = frozenset({f"{PREFIX}commit", f"{PREFIX}dirty", f"{PREFIX}made", SEQUENCE})
"""
Which commit was applied, how far the change log had come, and when versions were made: in no digest of a plan.

Plans before and after a merge are equal if everything except these keys is equal.
"""

MOST_PARTIAL = 500
"""
Digests of bodies that are kept; the oldest go first. No limit on metadata is documented: 17 KB stay modest.
"""

MOST_IDS = 2000
"""Marks of ids that are kept: 18 KB. Where there would be more, there are none."""
_MOST_TEXT = 65_536
"""Characters of one value that are read."""
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
    What is known of the last applies to one app.

    An app `is_complete` once a complete apply left its digest; without one, nothing but `partial` counts.
    """

    digest: str = ""
    """Of the desired state, directives included and secrets by name only. Empty: no complete apply."""
    app: str = ""
    """The app's own resource name. In a copied app it is that of the original."""
    tree: str = ""
    """The id of the tree that was applied; empty if nothing named it."""
    environment: str = ""
    """The environment that was applied; empty for none."""
    commit: str = ""
    """The full hash of the commit that was applied; empty outside git."""
    dirty: bool = False
    """True when the tree differed from that commit."""
    sequence: int | None = None
    """`sequenceNumber` of the newest entry of the change log when the plan was made; None: not known."""
    protected: frozenset[str] = frozenset()
    """What `$protect` held, as `<kind>/<id>`: by id, because the file that knows the key may be gone."""
    kinds: frozenset[str] = frozenset()
    """The kinds that had a folder: git keeps none that is empty."""
    versions: frozenset[str] = frozenset()
    """The keys of the version files: each makes a version in the first complete apply that has it, or never."""
    ids: frozenset[str] = frozenset()
    """Marks (`id_mark`) of ids that are not their keys: they distinguish a changed `$id` from a new id."""
    rotations: Mapping[str, str] = field(default_factory=dict)
    """The rotation markers of secret variables, by name."""
    wrote: Wrote = NOTHING
    """What the apply wrote: other entries of the change log before the stamp are edits, whoever made them."""
    made: Mapping[str, str] = field(default_factory=dict)
    """Marks of when versions were made, by the keys of their files: one that is made again has another."""
    partial: tuple[str, ...] = ()
    """Digests of bodies that applies wrote which were not complete, the newest last."""
    format: int = FORMAT

    @property
    def is_complete(self) -> bool:
        return bool(self.digest)

    @property
    def is_newer(self) -> bool:
        """True for the stamp of a cesplan that is newer than this one: what it means cannot be known."""
        return self.format > FORMAT

    def says_the_same(self, other: "Stamp") -> bool:
        """True if both record the same state, whatever happened before it, and in the apply that left it."""
        one, two = (replace(item, sequence=None, wrote=NOTHING, made={}) for item in (self, other))
        return one == two


NO_STAMP = Stamp()


def read_stamp(metadata: object, app_name: str) -> Stamp:
    """
    The stamp in the metadata of the app of this full name; an empty one where there is none.

    A stamp that names another app came with a copy and counts as none, and so does one of which a part that
    says whose it is does not fit its pattern.
    """
    said = _said(metadata)
    environment, tree = said.get("environment", ""), said.get("tree", "")
    app = said.get("app", app_name)
    number = said.get("format", str(FORMAT))
    if app != app_name or not _NUMBER.fullmatch(number):
        return NO_STAMP
    if (environment and not _ENVIRONMENT.fullmatch(environment)) or (tree and not TREE_NAME.fullmatch(tree)):
        return NO_STAMP
    sequence = said.get("sequence", "")
    return Stamp(
        digest=_fitting(_DIGEST, said.get("digest", "")),
        app=_fitting(_APP_NAME, said.get("app", "")),
        tree=tree,
        environment=environment,
        commit=_fitting(COMMIT_ID, said.get("commit", "")),
        dirty=bool(said.get("dirty")),
        sequence=int(sequence) if _NUMBER.fullmatch(sequence) else None,
        protected=frozenset(_words(_RESOURCE, said.get("protected", ""))),
        kinds=frozenset(_words(_KIND, said.get("kinds", ""))),
        versions=frozenset(map(unquote, _words(_QUOTED, said.get("versions", "")))),
        ids=frozenset(_words(_ID_MARK, said.get("ids", ""))),
        rotations=dict(_pair(word) for word in _words(_ROTATION, said.get("rotations", ""))),
        wrote=Wrote.read(said.get("wrote", "")),
        made=dict(_pair(word) for word in _words(_MADE, said.get("made", ""))),
        partial=_words(_BODY_DIGEST, said.get("partial", ""))[-MOST_PARTIAL:],
        format=int(number),
    )


def stamp_texts(stamp: Stamp) -> dict[str, str]:
    """The metadata that say a stamp; what says nothing is left out."""
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
    """A short mark for an id: enough to know it again."""
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
