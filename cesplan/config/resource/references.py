"""
References: converts all their forms to `<kind>/<key>`, and checks them against the tree.

`lookup-order`, `tools/lookup-order`, and `{$ref: tools/lookup-order}` are the same. Resource names stay
unchanged. `tools/@<id>` is a resource of the app by id: the resource of the file with this id, or else one that
the tree does not have.
"""

import re
from collections.abc import Mapping
from dataclasses import field

from cesplan.config.suggestions import Guess, guess, one_of
from cesplan.domain.address import KindName
from cesplan.domain.frozen import dataclass
from cesplan.domain.resource_name import FULL_NAMES, SEGMENT_PATTERN, matches
from cesplan.model.kinds import KINDS
from cesplan.model.marks import Reference
from cesplan.model.system_tools import NEVER_MANAGED

BY_ID = "@"


@dataclass(frozen=True, slots=True)
class Dangling:
    """A dangling reference: the code of the finding, and how to fix it."""

    code: str
    summary: str
    detail: str = ""
    suggestion: str = ""
    correction: Guess | None = None


@dataclass(frozen=True, slots=True)
class Keys:
    """
    The keys of one app: by collection, each with its file.

    `excluded` are the keys that the environment leaves out, by collection, each with the file that says so.
    `ids` are the ids of files on the server, by collection, each with its key.
    """

    files: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    excluded: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    ids: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def has(self, collection: str, key: str) -> bool:
        return key in self.files.get(collection, {}) or key in NEVER_MANAGED.get(collection, ())

    def known(self, collection: str) -> list[str]:
        return [*self.files.get(collection, {}), *NEVER_MANAGED.get(collection, ())]

    def resolve(self, reference: Reference, text: str, *, explicit: bool = False) -> str | Dangling:
        """The canonical form of a reference, or why it is dangling. `explicit` references come from `$ref`."""
        if not text or (text in reference.words and not explicit):
            return text
        if not reference.kinds or text.startswith(FULL_NAMES):
            patterns = reference.patterns
            return text if any(matches(item, text) for item in patterns) else _wrong_name(text, patterns[0])
        collection, slash, key = text.rpartition("/")
        if not slash:
            return self._bare(reference, text)
        if collection not in reference.kinds:
            return self._wrong_kind(reference, collection, text)
        return self._known(reference, collection, key)

    def _bare(self, reference: Reference, key: str) -> str | Dangling:
        for collection in reference.kinds:
            if self.has(collection, key):
                return f"{collection}/{key}"
        return self._known(reference, reference.kinds[0], key)

    def _known(self, reference: Reference, collection: str, key: str) -> str | Dangling:
        if key.startswith(BY_ID):
            if not SEGMENT_PATTERN.fullmatch(key.removeprefix(BY_ID)):
                return Dangling("CES021", f"`{key}` is not an id", f"Write `{collection}/{BY_ID}<id>`.")
            return f"{collection}/{self._by_id(collection, key.removeprefix(BY_ID))}"
        if self.has(collection, key):
            return f"{collection}/{key}"
        if out := self.excluded.get(collection, {}).get(key):
            return Dangling("CES021", f"`{collection}/{key}` is left out of this environment", f"See {out}.")
        correction = guess(key, [*self.known(collection), *reference.words])
        candidate = correction.nearest
        file = self.files.get(collection, {}).get(candidate, "")
        return Dangling(
            "CES021",
            f"reference to {_a(collection)} that does not exist: `{key}`",
            "" if file else _elsewhere(self, collection, key),
            f"`{candidate}` ({file})" if file else candidate,
            correction,
        )

    def _by_id(self, collection: str, resource_id: str) -> str:
        """A reference by id. It becomes a key if a file has the id, because live references do too."""
        if key := self.ids.get(collection, {}).get(resource_id):
            return key
        is_taken = resource_id in self.files.get(collection, {})
        return f"{BY_ID}{resource_id}" if is_taken else resource_id

    def _wrong_kind(self, reference: Reference, collection: str, text: str) -> Dangling:
        return Dangling(
            "CES022",
            f"`{text}` is not a reference to {_a(reference.kinds[0])}",
            f"This field refers to {one_of(reference.kinds)}. Write a key, or `{reference.kinds[0]}/<key>`.",
            correction=guess(collection, reference.kinds),
        )


def _wrong_name(text: str, pattern: str) -> Dangling:
    return Dangling(
        "CES022",
        f"`{text}` is not a valid resource name for this field",
        f"The name must have the form `{pattern}`.",
    )


def _elsewhere(keys: Keys, collection: str, key: str) -> str:
    others = sorted(name for name, files in keys.files.items() if key in files)
    if others:
        return f"There is {keys.files[others[0]][key]}, but this field refers to {_a(collection)}."
    return f"To refer to a resource that exists only on the server, write `{collection}/{BY_ID}<id>`."


def _a(collection: str) -> str:
    kind = KINDS.get(KindName(collection))
    word = kind.singular if kind else collection.removesuffix("s")
    spaced = re.sub(r"(?<=[a-z])([A-Z])", lambda found: f" {found[1].lower()}", word)
    return f"{'an' if spaced[0] in 'aeio' else 'a'} {spaced}"
