"""
Field names of an export, normalized to those of the API's JSON. ProtoJSON parsers accept
snake_case (`display_name`) as well as camelCase, and hand-written exports use both. The service's import drops
unknown fields and keeps the resource; so does this module, with a warning. Enums grow as well: an unknown value
is not sent, and the live value stays. Keys that begin with `_comment` are notes.
"""

import re
from dataclasses import dataclass, field

from cesplan.config.report import Report, SourceFile
from cesplan.config.suggestions import nearest
from cesplan.config.yaml.nodes import At, Mapping, Node, Scalar, Sequence, plain
from cesplan.domain.field_path import Entry, FieldPath, Index
from cesplan.features.export_layout.layout import COMMENT
from cesplan.model.scalars import Scalar as ScalarType
from cesplan.model.spec import Cardinality, FieldSpec, MessageSpec
from cesplan.model.walk import Trail

_ENUM_VALUE = re.compile(r"[A-Z][A-Z0-9_]{0,127}")
_WORD = re.compile(r"_+([a-z0-9])")


@dataclass(slots=True, kw_only=True)
class FieldNames:
    """
    One resource file. `comments` are its notes, each with the place it describes.

    `left_alone` are the places of unknown enum values outside lists.
    """

    file: SourceFile
    report: Report
    comments: list[str] = field(default_factory=list)
    left_alone: list[FieldPath] = field(default_factory=list)

    def message(self, spec: MessageSpec, node: Mapping, path: Trail = ()) -> Mapping:
        """A message with its known fields, under their JSON names. Other fields are reported."""
        entries: dict[str, tuple[Scalar, Node]] = {}
        for name, key, value in node:
            known = _field(spec, name)
            if name.startswith(COMMENT):
                self._note(name, value, path)
            elif known is None:
                self._drop(spec, name, key, path)
            elif known.name in entries:
                self.report.add(
                    "CES003",
                    f"duplicate field: `{name}` is another spelling of `{known.name}`",
                    self.file.spot_of(key),
                )
            elif not self._is_newer(known, value, (*path, known.name)):
                entries[known.name] = (key, self._value(known, value, (*path, known.name)))
        return Mapping(node.start, node.end, entries, node.size, node.height)

    def report_notes(self) -> None:
        """Report the notes of the file, once."""
        if self.comments:
            spot = self.file.spot(At(0, 0))
            self.report.add("CES035", f"`{COMMENT}…` keys are comments and are not sent", spot)

    def _value(self, known: FieldSpec, node: Node, path: Trail) -> Node:
        if known.scalar is not ScalarType.MESSAGE or known.is_output:
            return node
        match known.cardinality, node:
            case Cardinality.LIST, Sequence():
                items = [self._one(known, item, (*path, Index(place))) for place, item in enumerate(node.items)]
                return Sequence(node.start, node.end, items, node.size, node.height)
            case Cardinality.MAP, Mapping():
                entries = {
                    name: (key, self._one(known, item, (*path, Entry(name)))) for name, key, item in node
                }
                return Mapping(node.start, node.end, entries, node.size, node.height)
        return self._one(known, node, path)

    def _one(self, known: FieldSpec, node: Node, path: Trail) -> Node:
        return self.message(known.message, node, path) if isinstance(node, Mapping) else node

    def _is_newer(self, known: FieldSpec, node: Node, path: Trail) -> bool:
        """True for an unknown enum value, which is reported; the walk checks everything else later."""
        if known.scalar is not ScalarType.ENUM or known.is_output or not isinstance(node, Scalar):
            return False
        value = node.value
        if not isinstance(value, str) or value in known.enum or not _ENUM_VALUE.fullmatch(value):
            return False
        if all(isinstance(item, str) for item in path):
            self.left_alone.append(FieldPath(path))
        self.report.add(
            "CES095",
            f"unknown value `{value}` of `{FieldPath(path)}` is dropped",
            self.file.spot_of(node),
            detail="The field is not sent, and its live value is left alone.",
            suggestion=nearest(value, [item for item in known.enum if not item.endswith("_UNSPECIFIED")]),
        )
        return True

    def _note(self, name: str, value: Node, path: Trail) -> None:
        where = f"{FieldPath(path)}: " if path else ""
        label = name.removeprefix(COMMENT).strip("_")
        text = plain(value)
        lines = text if isinstance(text, list) else [text]
        self.comments += [f"{where}{label}{': ' if label else ''}{line}" for line in lines]

    def _drop(self, spec: MessageSpec, name: str, key: Scalar, path: Trail) -> None:
        self.report.add(
            "CES095",
            f"unknown field `{FieldPath((*path, name))}` is dropped",
            self.file.spot_of(key),
            detail=f"The service's import drops it too. {spec.name} has no such field.",
            suggestion=nearest(name, [item.name for item in spec.settable]),
        )


def camel(name: str) -> str:
    """`display_name` → `displayName`."""
    return _WORD.sub(lambda found: found[1].upper(), name)


def _field(spec: MessageSpec, name: str) -> FieldSpec | None:
    for spelled in (name, camel(name)):
        known = spec.fields.get(spec.renamed.get(spelled, spelled))
        if known is not None:
            return known
    return None
