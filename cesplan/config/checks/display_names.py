"""CES085, CES086: resources of one kind with the same name."""

from cesplan.config.checks.placing import shown
from cesplan.config.checks.tool_names import display_name
from cesplan.config.manifest import AppTree, Finding, ResourceFile
from cesplan.config.repeated import repeated
from cesplan.domain.field_path import FieldPath
from cesplan.model.kinds import KINDS, kind_of

_UNIQUE = tuple(kind.name for kind in KINDS.values() if kind.unique_display_name)
"""Kinds whose display names are documented as unique in the app."""
_MATCHED = ("agents", "tools", "guardrails", "examples")
"""Other kinds that exports and imports identify by display name (docs/api-facts.md)."""


def check_display_names(tree: AppTree) -> list[Finding]:
    """A shared name is refused, or makes two resources the same in exports, imports, and instructions."""
    return [
        _finding(code, file, other)
        for code, kinds in (("CES085", _UNIQUE), ("CES086", _MATCHED))
        for kind in kinds
        for file, other in repeated(tree.of(kind), display_name)
    ]


def _finding(code: str, file: ResourceFile, other: ResourceFile) -> Finding:
    return Finding(
        code=code,
        file=file,
        path=_path(file),
        summary=f"the name `{shown(display_name(file))}` is already used by {other.address.within_app}",
        detail="The service and its imports identify resources of one kind by this name.",
    )


def _path(file: ResourceFile) -> FieldPath:
    """The path of the name; the path of a tool's type if the name is derived."""
    paths = [FieldPath(tuple(text.split("."))) for text in kind_of(file.address.kind).display_name_at]
    present = (path for path in paths if path.fields[0] in file.body)
    return next(present, FieldPath())
