"""
Edits of whole resource files: from the requested content to new texts, which are read again to verify them.

An edit is returned only if loading it gives exactly the requested content. A value that a file cannot express
is refused with a reason and stays unchanged.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from cesplan.config.editing.overlaying import Overlay
from cesplan.config.editing.reconciling import Reconciler
from cesplan.config.editing.sharing import Sharing
from cesplan.config.editing.slots import TextEdit
from cesplan.config.editing.syntax import Part, SourceText
from cesplan.config.editing.values import Typed
from cesplan.config.files import named_beside
from cesplan.config.manifest import ResourceFile
from cesplan.config.resource.references import Keys
from cesplan.config.writing.shaping import Shaping
from cesplan.config.writing.texts import Texts
from cesplan.config.yaml.events import SyntaxProblem
from cesplan.domain.field_path import Element, Entry, FieldPath, Index
from cesplan.domain.frozen import dataclass
from cesplan.domain.value import Body, canonical_text, differing_places, is_number
from cesplan.model.kinds import kind_of
from cesplan.model.walk import Trail

_PASSES = 3
"""
The first edits the values in the file itself. The others edit the values that it moved, and correct the effects
of aliases and merges.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceEdit:
    """
    The new content of one resource file: the whole body, all of `$extra`, an id, and codes to silence.

    `is_part` is true for an environment's overlay on another file.
    """

    file: ResourceFile
    body: Body
    extra: Mapping[str, Any] = field(default_factory=dict)
    add_id: str = ""
    silence: Mapping[str, str] = field(default_factory=dict)
    is_part: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Edited:
    """
    New texts of files, by path relative to the root. `refused` are places that stay unchanged, and why.

    A place is an address and a field path, which is empty for a file as a whole.
    """

    files: Mapping[str, str]
    refused: Mapping[tuple[str, str], str] = field(default_factory=dict)


def edit_resources(
    resource_edits: Sequence[ResourceEdit], everything: Iterable[ResourceFile], keys: Keys, reading: Overlay
) -> Edited:
    """
    Edit resource files of one app, each alone. `everything` are all files of the tree, which may share texts.
    """
    sharing = Sharing(everything)
    files: dict[str, str] = {}
    refused: dict[tuple[str, str], str] = {}
    edits = [_Edit(item, keys, reading) for item in resource_edits]
    for edit in edits:
        edit.first_pass()
    sharing.count(text for edit in edits for text in edit.text_edits())
    for edit in edits:
        edited = edit.finish(sharing)
        if edited is None:
            refused[str(edit.request.file.address), ""] = (
                "the file is written in a way that cannot be edited here"
            )
            continue
        files |= edited
        address = str(edit.request.file.address)
        refused |= {(address, str(FieldPath(trail))): why for trail, why in edit.refused.items()}
    return Edited(files=files, refused=refused)


class _Edit:
    """The edit of one file, from the first pass to its verification."""

    def __init__(self, request: ResourceEdit, keys: Keys, reading: Overlay) -> None:
        self.request = request
        self._reading = reading
        self._path = request.file.path
        self._shaping = _shaping(request.file, keys, reading)
        self._text = reading.text(self._path)
        self._mark = (reading.current(self._path) or "").removesuffix(self._text)  # the byte order mark, if any
        self._passes: Reconciler | None = None
        self.refused: dict[Trail, str] = {}

    def first_pass(self) -> None:
        self._passes = self._reconcile(self._text, self.request.file, with_aliases=False)

    def text_edits(self) -> list[tuple[str, str]]:
        """The changed texts in separate files: path and new value."""
        found = self._passes.texts if self._passes else []
        return [(self._target(item), item.value) for item in found]

    def finish(self, sharing: Sharing) -> dict[str, str] | None:
        """The new files; None if the result is not the requested content."""
        files: dict[str, str] = {}
        text = self._text
        for number in range(_PASSES):
            pass_ = self._passes if number == 0 else self._again(text, files)
            if pass_ is None:
                return None
            if number:
                sharing.count(self._new_wishes(pass_))
            try:
                self._edit_texts(pass_, sharing, files)
                pass_.splices.keep_anchors()
                text = pass_.splices.apply()
            except ValueError:
                return None
            self.refused |= pass_.refused
            files |= self._new_texts()
            files[self._path] = text
            if self._has_requested_content(files):
                files[self._path] = self._mark + text
                return {path: new for path, new in files.items() if new != self._reading.current(path)}
        return None

    def _new_wishes(self, pass_: Reconciler) -> list[tuple[str, str]]:
        """Changed texts in elements that the first pass has moved."""
        known = self.text_edits()
        return [wish for item in pass_.texts if (wish := (self._target(item), item.value)) not in known]

    def _reconcile(self, text: str, file: ResourceFile, *, with_aliases: bool) -> Reconciler | None:
        try:
            source = SourceText(text)
        except SyntaxProblem:
            return None
        if source.root is None or not source.root.is_mapping:
            return None
        pass_ = Reconciler(
            source=source,
            shaping=self._shaping,
            variable=self._reading.variable,
            with_aliases=with_aliases,
        )
        spec = kind_of(file.address.kind).spec
        try:
            pass_.mapping(source.root, Typed(spec=spec), file.body, self.request.body, ())
            self._edit_directives(pass_, source.root, file)
        except ValueError:
            return None
        return pass_

    def _again(self, text: str, files: Mapping[str, str]) -> Reconciler | None:
        found = self._read({**files, self._path: text})
        return self._reconcile(text, found, with_aliases=True) if found is not None else None

    def _read(self, files: Mapping[str, str]) -> ResourceFile | None:
        request = self.request
        return self._reading.read(request.file.address, self._path, files, is_part=request.is_part)

    def _edit_directives(self, pass_: Reconciler, root: Part, file: ResourceFile) -> None:
        """Edit `$extra`, the codes to silence, and the id to add."""
        self._silence(pass_, root, file)
        old = {"$extra": dict(file.extra)} if file.extra else {}
        new = {"$extra": dict(self.request.extra)} if self.request.extra else {}
        pass_.mapping(root, _Directives(), old, new, ())
        if not self.request.add_id or file.resource_id == self.request.add_id:
            return
        environment, known = self._reading.environment, file.resource_id
        named = root.value_of("$id")
        if named is not None and named.is_mapping:
            there = {environment: known} if known is not None else {}
            pass_.mapping(
                named, Typed(), there, {environment: self.request.add_id} if environment else there, ()
            )
            return
        value: Any = {environment: self.request.add_id} if environment else self.request.add_id
        if known is not None and environment:  # the single id stays valid for the other environments
            value = {**dict.fromkeys(self._reading.others, known), **value}
        pass_.mapping(root, _Directives(), {"$id": known} if named is not None else {}, {"$id": value}, ())

    def _silence(self, pass_: Reconciler, root: Part, file: ResourceFile) -> None:
        new = {code: why for code, why in self.request.silence.items() if code not in file.silenced}
        there = root.value_of("$silence")
        if there is not None and there.is_mapping and there.entries:
            pass_.mapping(there, Typed(), {}, new, ("$silence",))
        elif new:
            pass_.mapping(root, _Directives(), {}, {"$silence": new}, ())

    def _edit_texts(self, pass_: Reconciler, sharing: Sharing, files: dict[str, str]) -> None:
        """Write each changed text to its file, or to a new file if others still use the old one."""
        for item in pass_.texts:
            path = self._target(item)
            if sharing.agree(path):
                content = self._reading.edited_text(path, item)
                if content is None:
                    pass_.refused[item.trail] = "a part of it comes from a variable"
                else:
                    files[path] = content
            elif self._shaping.texts is not None:
                name = self._shaping.texts.put(item.value, item.language or "text", item.trail)
                pass_.splices.replace(item.name.start, item.name.end, name)

    def _new_texts(self) -> dict[str, str]:
        folder = self._path.rpartition("/")[0]
        texts = self._shaping.texts.files if self._shaping.texts else {}
        return {f"{folder}/{name}" if folder else name: text for name, text in texts.items()}

    def _target(self, item: TextEdit) -> str:
        return named_beside(self._path, item.name.text)

    def _has_requested_content(self, files: Mapping[str, str]) -> bool:
        """True if reading the files gives the requested content, apart from refused places."""
        found = self._read(files)
        if found is None:
            return False
        places = [
            place
            for place, one, other in differing_places(found.body, self.request.body)
            if not _same_number(one, other)
        ]
        refused = {tuple(map(_step, trail)) for trail in self.refused}
        same_extra = canonical_text(dict(found.extra)) == canonical_text(dict(self.request.extra))
        return same_extra and all(any(place[: len(r)] == r for r in refused) for place in places)


class _Directives(Typed):
    """The directives of a resource file: keys are unchanged, and `$extra` has no schema."""

    def written_key(self, key: str) -> str:
        return key

    def child(self, key: str) -> Typed:
        return Typed()

    def order(self) -> Any:
        return iter(("$id", "$silence"))


def _shaping(file: ResourceFile, keys: Keys, reading: Overlay) -> Shaping:
    texts = Texts.of(file.address, reading.names_in(file.path.rpartition("/")[0]))
    return replace(Shaping(keys=keys), texts=texts)


def _same_number(one: Any, other: Any) -> bool:
    return is_number(one) and is_number(other) and one == other


def _step(segment: Any) -> Any:
    match segment:
        case Index(position):
            return position
        case Entry(key):
            return key
        case Element():
            return str(segment)
    return segment
