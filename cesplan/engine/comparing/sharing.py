"""
Sharing: what a live resource says as its file says it is held once.

A plan holds both sides until it ends, and most of what they say is the same. Right after it was read, a live
body takes the values of the tree in the place of its own equal ones; so what a list brought is not held beside
the tree, and comparing finds one value on both sides.

Equal values may have their members in another order, and the order of a live value can be seen where a whole
element of a list is shown. Inside lists only values of the same order are shared.
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
    """What is kept of a live resource of an app: its body, with the values of the file that may mean it."""
    files = {key: item.body for item in app.resources for key in _ids(item)}

    def keep(kind: KindName, body: Body) -> Body:
        mine = files.get((kind, last_id(str(body["name"]))))
        if mine is not None:
            share(body, mine)
        return body

    return keep


def _ids(file: DesiredResource) -> Iterator[tuple[KindName, str]]:
    """The ids that the resource of a file may have. A wrong guess costs a comparison."""
    for one in (file.new_id, file.address.key, file.resource_id):
        if one:
            yield file.address.kind, one


def share(live: Body, mine: Body) -> None:
    """Put values of another body into a live one wherever both have the same; the live body stays equal."""
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
    """A value inside a list, or that of the file if it is the same and has its members in the same order."""
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
