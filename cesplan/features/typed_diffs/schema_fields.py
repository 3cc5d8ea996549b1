"""The fields that hold schemas. Kept apart so that the comparison is imported only when needed."""

from cesplan.domain.field_path import FieldPath
from cesplan.model.scalars import Scalar
from cesplan.model.spec import MessageSpec

_SCHEMA = "Schema"


def schema_of(spec: MessageSpec, path: FieldPath) -> FieldPath | None:
    """The whole schema that a path leads into; None for another field."""
    for place, segment in enumerate(path.segments):
        if not isinstance(segment, str):
            continue
        field = spec.fields.get(segment)
        if field is None or field.scalar is not Scalar.MESSAGE:
            return None
        if field.message_name == _SCHEMA:
            return FieldPath(path.segments[: place + 1])
        spec = field.message
    return None
