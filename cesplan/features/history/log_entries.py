"""Log entries: the resource, the position, the time, and the author of one entry in an app's change log."""

from cesplan.domain.change import EditKind, LiveEdit
from cesplan.domain.resource_name import parse_name
from cesplan.domain.value import Body

_CREATE, _DELETE = "create", "delete"
_APP_PARTS = 6
"""`projects/<p>/locations/<l>/apps/<a>`."""


def number_of(entry: Body) -> int:
    """The `sequenceNumber` of an entry; -1 if it has none. An int64 is a string in JSON."""
    text = str(entry.get("sequenceNumber", ""))
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 20 else -1


def resource_of(entry: Body) -> str:
    """The full name of the resource of an entry; empty if it names none."""
    return str(entry.get("resource", ""))


def tail(name: str) -> str:
    """A resource name without its project, which is spelled as an id or as a number."""
    return name.partition("/locations/")[2]


def app_name_of(name: str) -> str:
    """The full name of the app that a resource is in; empty outside of apps."""
    parts = parse_name(name)
    return "/".join(name.split("/")[:_APP_PARTS]) if parts and parts.app else ""


def is_about(entry: Body, name: str) -> bool:
    """Whether an entry is about the resource of this full name, in either spelling of the project."""
    return tail(resource_of(entry)) == tail(name)


def is_delete(entry: Body) -> bool:
    """Whether an entry records a deletion."""
    return _DELETE in _action(entry)


def live_edit_of(entry: Body, kind: EditKind | None = None, cause: str = "") -> LiveEdit:
    """The edit that an entry records; without a `kind`, the kind follows from its action."""
    author, time = str(entry.get("author", "")), str(entry.get("createTime", ""))
    return LiveEdit(kind=kind or _kind_of(entry), author=author, time=time, cause=cause)


def _kind_of(entry: Body) -> EditKind:
    if is_delete(entry):
        return EditKind.DELETED
    return EditKind.CREATED if _CREATE in _action(entry) else EditKind.UPDATED


def _action(entry: Body) -> str:
    return str(entry.get("action", "")).lower()
