"""
Resource files in the cache: read once, and after that only checked for changes.

A file is cached if it has no findings, and if cesplan.yaml gives the values of all its variables. The result
also depends on references, included texts, and these variables: all are checked again before it is used.
"""

from dataclasses import replace
from typing import Any, NamedTuple

from cesplan.config.cache.pack import Pack
from cesplan.config.files import BOM
from cesplan.config.manifest import IncludedFile, ResourceFile
from cesplan.config.resource.places import OnDisk, Places
from cesplan.config.resource.read import Read, Reading, read_noting, read_resource
from cesplan.config.resource.references import Keys
from cesplan.config.yaml.nodes import At
from cesplan.domain.address import Address
from cesplan.domain.field_path import FieldPath
from cesplan.domain.settings import Ownership
from cesplan.domain.value import as_text
from cesplan.model.marks import Reference


class _Entry(NamedTuple):
    """A resource file in the cache. Most fields are those of ResourceFile."""

    given_id: str
    """The value of `$id`, before validation."""
    references: list[tuple[tuple[str, ...], str, tuple[str, ...], str, bool, str]]
    """References: the fields of the mark, the text, whether it was a `$ref`, and the result."""
    variables: dict[str, str]
    """The `repr` of variable values, by name."""
    texts: dict[str, bytes]
    """Digests of included texts by path."""
    included: dict[str, str]
    """Paths of included texts by field path."""
    start: tuple[int, int]
    end: tuple[int, int]
    body: dict[str, Any]
    resource_id: str | None
    other_ids: list[str]
    ownership: str
    protect: bool
    ignore: list[str]
    extra: dict[str, Any]
    silenced: dict[str, str]


class KeptFiles:
    """The resource files of one app, read through a pack."""

    def __init__(self, pack: Pack, reading: Reading) -> None:
        self.pack = pack
        self._reading = reading
        project = reading.project
        self._around = (
            project.settings.environment,
            project.settings.api_version,
            project.settings.place.location,
            *sorted(project.environments),
        )
        self._entries: dict[str, tuple[bytes, _Entry | None]] = {}
        self._marks: dict[str, OnDisk] = {}
        self._answers: dict[tuple[Any, ...], str] = {}

    def given_id(self, address: Address, path: str) -> str | None:
        """The `$id` of a file; None if it is unknown without reading the file."""
        entry = self._entry(address, path)
        return entry.given_id if entry else None

    def read(self, address: Address, path: str, reading: Reading) -> ResourceFile | None:
        """
        The resource in a file; None if the file is not a YAML mapping. References are resolved with the keys of
        its app.
        """
        if not self.pack.is_on:
            return read_resource(address, path, reading)
        entry = self._entry(address, path)
        found = self._restored(entry, address, path, reading) if entry else None
        return found or self._read(address, path, reading)

    def _entry(self, address: Address, path: str) -> _Entry | None:
        if not self.pack.is_on:
            return None
        if path not in self._entries:
            digest = self._digest(address, path)
            found = self.pack.get(digest) if digest else None
            self._entries[path] = digest, _Entry(*found) if found else None
            if found:
                self._reading.files.forget(path)
        return self._entries[path][1]

    def _digest(self, address: Address, path: str) -> bytes:
        """The digest of a file and its context; empty if the file cannot be read."""
        files = self._reading.files
        text = files.text(path) if files.inside(path) else None
        if text is None:
            return b""
        self._marks[path] = OnDisk(path, hash(text.removeprefix(BOM)), files)
        return self.pack.digest("resource", path, str(address), *self._around, text)

    def _restored(self, entry: _Entry, address: Address, path: str, reading: Reading) -> ResourceFile | None:
        """The resource of an entry; None if one of its inputs has changed."""
        variables = reading.project.variables
        if any(repr(variables.get(name)) != value for name, value in entry.variables.items()):
            return None
        if not all(self._is_answer(item, reading.keys) for item in entry.references):
            return None
        texts = {name: self._unchanged(name, digest) for name, digest in entry.texts.items()}
        included = {at: IncludedFile(path=name, text=texts[name] or "") for at, name in entry.included.items()}
        if None in texts.values():
            return None
        places = Places(file=self._marks[path], start=At(*entry.start), end=At(*entry.end))
        return ResourceFile(
            address=address,
            path=path,
            body=entry.body,
            spot=places.spot,
            key_spot=places.key_spot,
            resource_id=entry.resource_id,
            other_ids=frozenset(entry.other_ids),
            ownership=Ownership(entry.ownership),
            protect=entry.protect,
            ignore=tuple(map(FieldPath.parse, entry.ignore)),
            extra=entry.extra,
            included=included,
            silenced=entry.silenced,
            digest=self._whole_digest(self._entries[path][0], entry),
        )

    def _whole_digest(self, digest: bytes, entry: _Entry) -> bytes:
        """The digest of a file and of all else that its resource is made of."""
        inputs = (entry.references, entry.variables, entry.texts)
        return self.pack.digest("resource and inputs", digest, repr(inputs)) if any(inputs) else digest

    def _is_answer(self, reference: tuple[Any, ...], keys: Keys) -> bool:
        kinds, pattern, words, text, explicit, answer = reference
        question = (kinds, pattern, words, text, explicit)
        if question not in self._answers:
            mark = Reference(kinds=kinds, pattern=pattern, words=words)
            found = keys.resolve(mark, text, explicit=explicit)
            self._answers[question] = as_text(found)
        return bool(self._answers[question] == answer)

    def _unchanged(self, path: str, digest: bytes) -> str | None:
        """An included text; None if its digest differs, or it is outside the tree."""
        text = self._reading.files.sound_text(path)
        return text if text is not None and self.pack.digest("text", text) == digest else None

    def _read(self, address: Address, path: str, reading: Reading) -> ResourceFile | None:
        """Read a file, and keep the result if it depends on nothing else."""
        before = reading.report.entries
        variables = reading.project.variables
        variables.requested.clear()
        found = read_noting(address, path, reading)
        if found is None:
            return None
        resource = found.resource
        digest = self._entries[path][0]
        ignore = [str(item) for item in resource.ignore]
        is_plain = [FieldPath.parse(text) for text in ignore] == [*resource.ignore]
        is_of_tree = all(map(variables.is_of_tree, variables.requested))
        if digest and is_plain and is_of_tree and reading.report.entries == before:
            kept = self._kept(found)
            texts = [found.took.file.text, *(item.text for item in resource.included.values())]
            if self.pack.put(digest, tuple(kept), *texts):
                return replace(resource, digest=self._whole_digest(digest, kept))
        return resource

    def _kept(self, read: Read) -> _Entry:
        resource, took = read.resource, read.took
        texts = {item.path: item.text for item in resource.included.values()}
        return _Entry(
            given_id=read.given_id,
            references=[
                (mark.kinds, mark.pattern, mark.words, text, explicit, answer)
                for mark, text, explicit, answer in took.references
            ],
            variables={name: repr(took.variables.get(name)) for name in [*took.variables.requested]},
            texts={path: self.pack.digest("text", text) for path, text in texts.items()},
            included={at: item.path for at, item in resource.included.items()},
            start=(read.start.line, read.start.column),
            end=(read.end.line, read.end.column),
            body=resource.body,
            resource_id=resource.resource_id,
            other_ids=sorted(resource.other_ids),
            ownership=resource.ownership.value,
            protect=resource.protect,
            ignore=list(map(str, resource.ignore)),
            extra=dict(resource.extra),
            silenced=dict(resource.silenced),
        )
