"""Differences inside free-form JSON (Struct, Value), which has no schema: deepdiff finds them."""

from collections.abc import Iterator
from typing import Any

from cesplan.domain.field_path import Entry, FieldPath, Index


def free_form_changes(path: FieldPath, before: Any, after: Any) -> Iterator[tuple[FieldPath, Any, Any]]:
    """
    The leaves that differ, as (path, before, after) sorted by path; None means absent.

    Values of different types, and values other than objects and lists, differ as a whole.
    """
    from deepdiff import DeepDiff  # takes 60-110 ms to import, and most runs never need it

    if type(before) is not type(after) or not isinstance(before, dict | list):
        yield path, before, after
        return
    tree = DeepDiff(before, after, view="tree", threshold_to_diff_deeper=0, ignore_order=False)
    found = [
        (_place(path, level.path(output_format="list")), _value(level.t1), _value(level.t2))
        for levels in tree.values()
        for level in levels
    ]
    yield from sorted(found, key=lambda item: str(item[0]))


def _place(path: FieldPath, steps: list[Any]) -> FieldPath:
    for step in steps:
        path = path / (Index(step) if isinstance(step, int) else Entry(str(step)))
    return path


def _value(value: Any) -> Any:
    return None if type(value).__name__ == "NotPresent" else value
