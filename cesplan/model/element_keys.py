"""The identity of elements in keyed lists, for comparing, merging, and editing alike."""

from collections.abc import Sequence
from typing import Any

from cesplan.domain.field_path import Element
from cesplan.domain.value import at_place, secret_variables
from cesplan.model.spec import FieldSpec


def element_key(spec: FieldSpec, element: Any) -> Element | None:
    """The selector of an element in a keyed list; None if it has no key."""
    for path in spec.key_fields:
        value = at_place(element, tuple(path.split(".")))
        if secret_variables(value):
            return None  # a key becomes part of paths, and paths are shown
        if found := Element.of(path, value):
            return found
    return None


def keys_of(spec: FieldSpec, elements: Sequence[Any]) -> list[Element] | None:
    """The selectors of all elements; None if the list is not keyed, or a key is missing or repeated."""
    if not spec.key_fields:
        return None
    keys = [element_key(spec, element) for element in elements]
    known = [key for key in keys if key is not None]
    return known if len(set(known)) == len(elements) else None
