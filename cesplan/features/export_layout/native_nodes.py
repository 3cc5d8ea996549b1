"""
NativeNodes: convert the nodes of an export's file to those of the native layout; places are kept.

References become `<kind>/<key>`, paths the text of their file, `$env_var` its value; output-only fields are
removed. The result is checked by the same walk as native files, so both layouts give the same diagnostics.
"""

import posixpath
from dataclasses import dataclass, field
from typing import Any

from cesplan.config.manifest import IncludedFile
from cesplan.config.report import SourceFile
from cesplan.config.suggestions import nearest
from cesplan.config.writing.shaping import map_key
from cesplan.config.yaml.nodes import Mapping, Node, Scalar, Sequence, folded_node, node_of, plain
from cesplan.domain.field_path import Entry, FieldPath, Index
from cesplan.domain.resource_name import FULL_NAMES, last_id
from cesplan.features.export_layout.environment import EnvironmentValues
from cesplan.features.export_layout.layout import ENV_VAR, is_in_file
from cesplan.features.export_layout.sources import ExportFiles
from cesplan.features.export_layout.titles import Titles
from cesplan.model.marks import OwnName, Reference
from cesplan.model.scalars import Scalar as ScalarType
from cesplan.model.spec import Cardinality, FieldSpec, MessageSpec
from cesplan.model.system_tools import NEVER_MANAGED
from cesplan.model.walk import Trail

_LONGEST_PATH = 255
NOTHING = ""
"""Replaces a reported error, so that it is not reported again."""


@dataclass(slots=True, kw_only=True)
class NativeNodes:
    """
    The conversion of one resource file.

    `hint` says where else values of the environment may be. Collects parts from outside the body:
    `included` files and `values` from environment.json by field path, and `documents` whose server URL is
    there, as they are in the export.
    """

    file: SourceFile
    address: str
    source: ExportFiles
    titles: Titles
    environment: EnvironmentValues
    hint: str = ""
    included: dict[str, IncludedFile] = field(default_factory=dict)
    values: dict[FieldPath, Any] = field(default_factory=dict)
    documents: dict[FieldPath, tuple[str, str]] = field(default_factory=dict)

    def message(self, spec: MessageSpec, node: Mapping, path: Trail = ()) -> Mapping:
        """A message in the terms of the native layout."""
        entries: dict[str, tuple[Scalar, Node]] = {}
        for name, key, value in node:
            known = spec.fields[name]
            if known.is_compared:
                entries[name] = (key, self._field(spec, known, value, (*path, name)))
        return Mapping(node.start, node.end, entries)

    def _field(self, spec: MessageSpec, known: FieldSpec, node: Node, path: Trail) -> Node:
        if isinstance(node, Scalar) and node.value == ENV_VAR:
            return self._value(node, path)
        match known.cardinality, node:
            case Cardinality.LIST, Sequence():
                items = [self._one(spec, known, item, (*path, Index(n))) for n, item in enumerate(node.items)]
                return Sequence(node.start, node.end, items)
            case Cardinality.MAP, Mapping():
                return self._map(spec, known, node, path)
        return self._one(spec, known, node, path)

    def _map(self, spec: MessageSpec, known: FieldSpec, node: Mapping, path: Trail) -> Mapping:
        entries: dict[str, tuple[Scalar, Node]] = {}
        for name, key, value in node:
            entries[map_key(name)] = (key, self._one(spec, known, value, (*path, Entry(name))))
        return Mapping(node.start, node.end, entries)

    def _one(self, spec: MessageSpec, known: FieldSpec, node: Node, path: Trail) -> Node:
        match node:
            case Mapping() if known.scalar is ScalarType.MESSAGE:
                return self.message(known.message, node, path)
            case Scalar(value=str(text)):
                if text == ENV_VAR:
                    return self._value(node, path)
                return self._text(spec, known, node, path)
        return verbatim(node)

    def _text(self, spec: MessageSpec, known: FieldSpec, node: Scalar, path: Trail) -> Node:
        if known.reference is not None and known.reference.kinds:
            return self._reference(known.reference, node)
        if known.mark(OwnName) is not None:
            return _scalar(node, last_id(node.value))
        if is_in_file(spec.name, known.name):
            return self._included(known, node, path)
        return verbatim(node)

    def _value(self, node: Scalar, path: Trail) -> Node:
        found = self.environment.find(path)
        if found is None:
            self._without_value(node, path)
            return _scalar(node, NOTHING)
        self.values[FieldPath(path)] = plain(found)
        return node_of(plain(found), node)

    def _without_value(self, node: Scalar, path: Trail) -> None:
        self._report_problem(
            "CES037",
            f"`{ENV_VAR}` has no value",
            node,
            detail=f"Set it in {self.environment.file} at {self.environment.place(path)}.{self.hint}",
        )

    def _reference(self, mark: Reference, node: Scalar) -> Node:
        text: str = node.value
        if not text or text in mark.words:
            return verbatim(node)
        full = text.startswith(FULL_NAMES)
        found = self.titles.find(mark.kinds, last_id(text) if full else text)
        system = [f"{kind}/{text}" for kind in mark.kinds if text in NEVER_MANAGED.get(kind, ())]
        if len(found or system) == 1:
            return _scalar(node, (found or system)[0])
        if full:
            return verbatim(node)
        self._dangling(mark, text, len(found), node)
        return _scalar(node, NOTHING)

    def _dangling(self, mark: Reference, text: str, count: int, node: Scalar) -> None:
        kind = mark.kinds[0]
        if count:
            self._report_problem(
                "CES038", f"`{text}` is ambiguous: {count} {kind} have this display name", node
            )
            return
        self._report_problem(
            "CES021",
            f"no {kind} with the name `{text}`",
            node,
            detail="In an export, a reference is the display name of its target.",
            suggestion=self.titles.nearest(mark.kinds, text),
        )

    def _included(self, known: FieldSpec, node: Scalar, path: Trail) -> Node:
        target = posixpath.normpath(node.value) if node.value else ""
        if target in self.source.names:
            return self._content(known, node, target, path)
        if target.startswith(("../", "/")) or target == "..":
            self._report_problem("CES025", f"`{node.value}` is outside the export", node)
            return _scalar(node, NOTHING)
        if not _is_path(node.value):
            return verbatim(node)
        self._report_problem(
            "CES025",
            f"`{node.value}` does not exist",
            node,
            detail="Paths in an export are relative to the folder of app.json.",
            suggestion=nearest(target, _alike(target, self.source.names)),
        )
        return _scalar(node, NOTHING)

    def _content(self, known: FieldSpec, node: Scalar, target: str, path: Trail) -> Node:
        if not self.source.files.inside(target):
            self._report_problem("CES025", f"`{node.value}` is outside the export", node)
            return _scalar(node, NOTHING)
        text = self.source.files.text(target, mentioned_at=self.file.spot_of(node), code="CES025")
        if text is None:
            return _scalar(node, NOTHING)
        self.included[str(FieldPath(path))] = IncludedFile(path=target, text=text)
        if known.language == "yaml" and ENV_VAR in text:
            url = self.environment.find((*path[:-1], "url"))
            if not isinstance(url, Scalar):
                self._without_value(node, (*path[:-1], "url"))
                return _scalar(node, NOTHING)
            self.documents[FieldPath(path)] = (text, str(url.value))
            text = text.replace(ENV_VAR, str(url.value))
        return _scalar(node, text)

    def _report_problem(
        self, code: str, summary: str, node: Node, *, detail: str = "", suggestion: str = ""
    ) -> None:
        self.source.files.report.add(
            code, summary, self.file.spot_of(node), detail=detail, suggestion=suggestion, address=self.address
        )


def verbatim(node: Node) -> Node:
    """The same value, escaped so that no key or text is a directive."""
    copy: Node = folded_node(
        node,
        lambda scalar: _scalar(scalar, scalar.value),
        lambda sequence, items: Sequence(sequence.start, sequence.end, items),
        lambda mapping, members: Mapping(
            mapping.start,
            mapping.end,
            {map_key(name): (mapping.entries[name][0], item) for name, item in members.items()},
        ),
    )
    return copy


def _scalar(node: Scalar, value: Any) -> Scalar:
    return Scalar(node.start, node.end, value, node.text, quoted=node.quoted, verbatim=isinstance(value, str))


def _is_path(text: str) -> bool:
    """Whether a text is probably an intended path: one word with a folder or a suffix."""
    one_line = "\n" not in text and len(text) <= _LONGEST_PATH
    return one_line and ("/" in text or "." in text) and not text.rstrip().endswith(".") and " " not in text


def _alike(target: str, names: tuple[str, ...]) -> list[str]:
    ending = posixpath.splitext(target)[1]
    return [name for name in names if name.endswith(ending)]
