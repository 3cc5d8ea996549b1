"""
Which file of a layered resource gets a new value: the shared file, or the file of the environment.

Fields that an environment sets stay there. Everything else goes to the shared file, unless only the environment
is to change.
"""

import posixpath
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from cesplan.config.discovery import ENVIRONMENTS
from cesplan.config.editing.overlaying import Overlay
from cesplan.config.editing.resource_edits import Edited, ResourceEdit, edit_resources
from cesplan.config.manifest import ResourceFile
from cesplan.config.resource.references import Keys
from cesplan.config.writing.emitting import document
from cesplan.config.writing.shaping import Shaping
from cesplan.config.writing.texts import Texts
from cesplan.domain.frozen import dataclass
from cesplan.domain.value import ABSENT, Body, as_object, canonical_text
from cesplan.model.kinds import kind_of

_PATCH = (".patch.yaml", ".patch.yml")


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """Edits of the files of one resource, and new files. `why` says what cannot be edited."""

    edits: tuple[ResourceEdit, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    why: str = ""


def edit_layers(
    edits: Sequence[ResourceEdit],
    everything: Iterable[ResourceFile],
    keys: Keys,
    reading: Overlay,
    *,
    only_here: bool,
) -> Edited:
    """Edit resources of one app, each value in the right file; see `edit_resources`."""
    places = {str(item.file.address): placed(item, reading, keys, only_here=only_here) for item in edits}
    parts = [part for item in places.values() for part in item.edits]
    edited = edit_resources(parts, everything, keys, reading)
    new = {path: text for item in places.values() for path, text in item.files.items()}
    refused = {(address, ""): item.why for address, item in places.items() if item.why}
    return Edited(files={**edited.files, **new}, refused={**edited.refused, **refused})


def placed(edit: ResourceEdit, reading: Overlay, keys: Keys, *, only_here: bool) -> Placed:
    """
    The edits that give a resource the requested values in the environment of `reading`.

    With `only_here`, no other environment is affected.
    """
    file, environment = edit.file, reading.environment
    folder = f"{ENVIRONMENTS}/{environment}/"
    is_own = bool(environment) and file.path.startswith(folder)
    if is_own or not (file.layers or (only_here and environment)):
        return Placed(edits=(edit,))
    path = next((item for item in file.layers if not item.endswith(_PATCH)), "")
    base = reading.read(file.address, file.path, {})
    over = reading.read(file.address, path, {}, is_part=True) if path else None
    if base is None or (path and over is None):
        return Placed(why=f"{path or file.path} cannot be edited alone")
    if over is not None and over.extra and dict(edit.extra) != dict(file.extra):
        return Placed(why=f"{path} is laid over its `$extra`: edit one of them")
    split = _Split(only_here=only_here)
    shared, here = split.bodies(file.body, edit.body, base.body, over.body if over else {})
    found = [] if shared == base.body and not _edits_more_than_body(edit, file) else [_of(edit, base, shared)]
    if over is None:
        new = _new_file(file, folder, here, reading, keys) if here else {}
        return Placed(edits=tuple(found), files=new)
    is_named_here = bool(edit.add_id) and over.resource_id is not None
    if is_named_here:
        found = [replace(item, add_id="") for item in found]
    if here != over.body or is_named_here:
        add_id = edit.add_id if is_named_here else ""
        found.append(ResourceEdit(file=over, body=here, extra=over.extra, add_id=add_id, is_part=True))
    return Placed(edits=tuple(found))


def _edits_more_than_body(edit: ResourceEdit, file: ResourceFile) -> bool:
    return bool(edit.add_id or edit.silence) or dict(edit.extra) != dict(file.extra)


def _of(edit: ResourceEdit, base: ResourceFile, body: Body) -> ResourceEdit:
    is_same = dict(edit.extra) == dict(edit.file.extra)
    return replace(edit, file=base, body=body, extra=base.extra if is_same else edit.extra)


def _new_file(file: ResourceFile, folder: str, body: Body, reading: Overlay, keys: Keys) -> dict[str, str]:
    path = f"{folder}{file.path}"
    parent = posixpath.dirname(path)
    texts = Texts.of(file.address, reading.names_in(parent))
    shaping = Shaping(keys=keys, texts=texts)
    text = document(shaping.message(kind_of(file.address.kind).spec, body))
    return {path: text, **{f"{parent}/{name}": content for name, content in texts.files.items()}}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Split:
    only_here: bool

    def bodies(self, old: Body, new: Body, base: Body, over: Body) -> tuple[Body, Body]:
        """The new bodies of the shared file and of the environment's file."""
        shared, here = dict(base), dict(over)
        for key in {**old, **new}:
            one, other = old.get(key, ABSENT), new.get(key, ABSENT)
            if _is_same(one, other):
                continue
            below, above = base.get(key, ABSENT), over.get(key, ABSENT)
            if all(item is ABSENT or isinstance(item, dict) for item in (below, above)) and (
                isinstance(one, dict) and isinstance(other, dict)
            ):
                inner = self.bodies(one, other, as_object(below), as_object(above))
                _put(shared, key, inner[0], below)
                _put(here, key, inner[1], above)
            elif self.only_here or above is not ABSENT:
                here[key] = _laid_over(below, other)
                if here[key] is None and below is ABSENT:
                    del here[key]
            elif other is ABSENT:
                shared.pop(key, None)
            else:
                shared[key] = other
        return shared, here


def _laid_over(below: Any, value: Any) -> Any:
    """The overlay that turns `below` into `value`: mappings are merged key by key, and null clears."""
    if value is ABSENT:
        return None
    if not isinstance(value, dict) or not isinstance(below, dict):
        return value
    kept = {key: _laid_over(below.get(key, ABSENT), item) for key, item in value.items()}
    return {**kept, **{key: None for key in below if key not in value}}


def _put(body: Body, key: str, value: Body, before: Any) -> None:
    """Set the value of a mapping. An empty mapping is neither added nor removed."""
    if value or before is not ABSENT:
        body[key] = value


def _is_same(one: Any, other: Any) -> bool:
    if one is ABSENT or other is ABSENT:
        return one is other
    return canonical_text(one) == canonical_text(other)
