"""
Names that a body itself declares, such as `evaluationPersonas[].name` of an app.

They are keys like those of files, and must be known before the references to them are read.
"""

from cesplan.config.yaml.nodes import Mapping, Sequence, text_of
from cesplan.model.marks import OwnName
from cesplan.model.scalars import Scalar as ScalarType
from cesplan.model.spec import FieldSpec, MessageSpec


def own_keys(spec: MessageSpec, root: Mapping, path: str) -> dict[str, dict[str, str]]:
    """The keys that a body declares, by collection, each with its file."""
    found: dict[str, dict[str, str]] = {}
    for field in spec.settable:
        names = root.get(field.name) if field.scalar is ScalarType.MESSAGE else None
        if isinstance(names, Sequence) and (name := _own_name(field)):
            mark = name.mark(OwnName)
            keys = found.setdefault(mark.collection if mark else "", {})
            for item in names.items:
                value = item.get(name.name) if isinstance(item, Mapping) else None
                if (text := text_of(value)) is not None:
                    keys[text.rpartition("/")[2]] = path
    return found


def _own_name(field: FieldSpec) -> FieldSpec | None:
    return next((item for item in field.message.fields.values() if item.mark(OwnName)), None)
