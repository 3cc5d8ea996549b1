"""CES079: texts with conflict markers from a merge."""

from cesplan.config.manifest import AppTree, Finding, TextPlace
from cesplan.domain.field_path import FieldPath
from cesplan.domain.text.conflict_markers import line_of_markers


def check_conflict_markers(tree: AppTree) -> list[Finding]:
    """A text with conflict markers must not become part of an agent."""
    found: dict[str, Finding] = {}
    for file in tree.all():
        for at, text in file.included.items():
            line = line_of_markers(text.text) if text.path not in found else 0
            if line:
                path = FieldPath.parse(at)
                found[text.path] = Finding(
                    code="CES079",
                    file=file,
                    path=path,
                    summary=f"`{text.path}` has an unresolved merge conflict",
                    detail="Keep one of the two texts, or write a third, and delete the marker lines.",
                    place=TextPlace(line=line, span=7),
                )
    return [*found.values()]
