"""
Names that a body itself declares, such as `evaluationPersonas[].name` of an app.

They are keys like those of files, and must be known before the references to them are read.
"""

from cesplan.config.yaml.nodes import Mapping, Sequence, text_of
from cesplan.model.spec import MessageSpec


def own_keys(spec: MessageSpec, root: Mapping, path: str) -> dict[str, dict[str, str]]:
    """The keys that a body declares, by collection, each with its file."""
    found: dict[str, dict[str, str]] = {}
    for field, name in spec.own_names:
        names = root.get(field.name)
        if isinstance(names, Sequence):
            keys = found.setdefault(name.own_collection, {})
            for item in names.items:
                value = item.get(name.name) if isinstance(item, Mapping) else None
                if (text := text_of(value)) is not None:
                    keys[text.rpartition("/")[2]] = path
    return found
