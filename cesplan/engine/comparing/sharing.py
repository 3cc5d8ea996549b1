"""
Sharing: values that a live resource and its file have in common are stored only once.

A plan keeps both sides in memory until it ends, and most of their values are equal. Right after a live body is
read, its values are replaced by the tree's equal ones. So they are not stored twice, and comparing finds the
same object on both sides.

Equal values may have their members in a different order, which is visible if a whole list element is shown. So
inside lists, only values with the same order are shared.
"""

from collections.abc import Iterator
from itertools import starmap
from operator import is_
from typing import Any

from cesplan.domain.address import KindName
from cesplan.domain.desired import DesiredApp, DesiredResource
from cesplan.domain.live import Keep
from cesplan.domain.resource_name import last_id
from cesplan.domain.value import Body, is_same


def sharing_with(app: DesiredApp) -> Keep:
    """Returns the function that shares the values of an app's live resources with the files that may match."""
    files = {key: item.body for item in app.resources for key in _ids(item)}

    def keep(kind: KindName, body: Body) -> Body:
        mine = files.get((kind, last_id(str(body["name"]))))
        if mine is not None:
            share(body, mine)
        return body

    return keep


def _ids(file: DesiredResource) -> Iterator[tuple[KindName, str]]:
    """The ids that the resource of a file may have. A wrong guess only costs a comparison."""
    for one in (file.new_id, file.address.key, file.resource_id):
        if one:
            yield file.address.kind, one


def share(live: Body, mine: Body) -> None:
    """Replace values in a live body by equal values of another body. The live body stays equal."""
    for name, value in mine.items():
        theirs: Any = live.get(name)
        kind = value.__class__
        if theirs.__class__ is not kind or kind not in _SHARED:
            continue
        if is_same(value, theirs):
            live[name] = value
        elif kind is dict:
            share(theirs, value)
        elif kind is list:
            live[name] = _with_shared(theirs, value)


_SHARED = (str, dict, list)


def _with_shared(theirs: Any, value: Any) -> Any:
    """A value inside a list, or the file's value if it is equal and has its members in the same order."""
    kind = value.__class__
    if theirs.__class__ is not kind:
        return theirs
    if kind is dict:
        members = {name: _with_shared(item, value.get(name)) for name, item in theirs.items()}
        is_one = [*members] == [*value] and all(map(is_, members.values(), value.values()))
        return value if is_one else members
    if kind is list:
        items = [*starmap(_with_shared, zip(theirs, value, strict=False)), *theirs[len(value) :]]
        return value if len(items) == len(value) and all(map(is_, items, value)) else items
    return value if is_same(theirs, value) else theirs
