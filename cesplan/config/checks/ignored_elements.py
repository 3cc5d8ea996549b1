"""CES099: `$ignore` inside an element or entry that the file does not have."""

from collections.abc import Iterator

from cesplan.config.manifest import AppTree, Finding, ResourceFile
from cesplan.config.suggestions import nearest
from cesplan.domain.field_path import Element, Entry, FieldPath, Index


def check_ignored_elements(tree: AppTree) -> list[Finding]:
    """
    Places inside an element of a list, or an entry of a map, that the file does not have.

    To ignore something that only live has, name the element itself.
    """
    return [finding for file in tree.all() if file.ignore for finding in _missing(file)]


def _missing(file: ResourceFile) -> Iterator[Finding]:
    for place, path in enumerate(file.ignore):
        outer = next((item for item in _holders(path) if not _is_there(file, item)), None)
        if outer is None:
            continue
        yield Finding(
            code="CES099",
            file=file,
            path=FieldPath(("$ignore", Index(place))),
            summary=f"`{path}` leaves nothing alone: the file does not have `{outer}`",
            detail=f"To leave what only live has alone, write `{outer}`.",
            suggestion=_neighbor(file, outer),
        )


def _holders(path: FieldPath) -> Iterator[FieldPath]:
    """The paths of the elements and entries that a path leads through."""
    for size, segment in enumerate(path.segments[:-1], 1):
        if isinstance(segment, Element | Entry):
            yield FieldPath(path.segments[:size])


def _is_there(file: ResourceFile, path: FieldPath) -> bool:
    if path.get(file.body) is not None:
        return True
    last, holder = path.segments[-1], FieldPath(path.segments[:-1]).get(file.body)
    if not isinstance(last, Entry) or not isinstance(holder, dict):
        return False
    return last.key.lower() in map(str.lower, holder)  # language codes ignore case


def _neighbor(file: ResourceFile, outer: FieldPath) -> str:
    last, beside = outer.segments[-1], FieldPath(outer.segments[:-1]).get(file.body)
    match last, beside:
        case Element(field=name, value=value), list():
            known = [
                item[name] for item in beside if isinstance(item, dict) and isinstance(item.get(name), str)
            ]
            found = nearest(value, known)
            return str(FieldPath((*outer.segments[:-1], Element(name, found)))) if found else ""
        case Entry(key=key), dict():
            found = nearest(key, [*beside])
            return str(FieldPath((*outer.segments[:-1], Entry(found)))) if found else ""
    return ""
