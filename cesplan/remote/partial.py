"""
Partial responses: asking lists to omit fields that are never compared, such as the snapshots of versions.

The `fields` parameter of Google's APIs can only say what to include, so for the kinds that have expensive
fields all other fields at the top of the model are named. Everything below them comes whole, newer fields
too; what is lost is a field at the top that is newer than the model. That matters in one case: it may be a
member of a oneof, and the oneof would look unset. So where a oneof looks unset, the resource is read again,
in full.
"""

from cesplan.domain.value import Body
from cesplan.model.kinds import Kind


def partial_fields(kind: Kind, api_version: str) -> str:
    """The selector for a list of this kind; empty if lists are to come whole."""
    if not kind.expensive_fields:
        return ""
    names = [
        field.name
        for field in kind.spec.fields.values()
        if field.name not in kind.expensive_fields and field.only_in in ("", api_version)
    ]
    return f"nextPageToken,{kind.list_key}({','.join(names)})"


def hides_oneof(kind: Kind, body: Body) -> bool:
    """True if a partial answer shows no member of one of the kind's oneofs."""
    return any(not body.keys() & set(members) for members in kind.spec.oneofs.values())
