"""
Partial responses: asking lists to omit fields that are never compared, such as the snapshots of versions.

The `fields` parameter of Google's APIs can only list what to include, so for kinds with expensive fields it
names all other top-level fields of the model. Everything below them is returned in full, including newer
fields. Only a top-level field that is newer than the model is lost. This matters in one case: it may be a
member of a oneof, which would then look unset. So if a oneof looks unset, the resource is read again in full.
"""

from cesplan.domain.value import Body
from cesplan.model.kinds import Kind


def partial_fields(kind: Kind, api_version: str) -> str:
    """The `fields` selector for a list of this kind; empty if lists should be complete."""
    if not kind.expensive_fields:
        return ""
    names = [
        field.name
        for field in kind.spec.fields.values()
        if field.name not in kind.expensive_fields and field.only_in in ("", api_version)
    ]
    return f"nextPageToken,{kind.list_key}({','.join(names)})"


def hides_oneof(kind: Kind, body: Body) -> bool:
    """True if a partial response has no member of one of the kind's oneofs."""
    return any(not body.keys() & set(members) for members in kind.spec.oneofs.values())
