"""
Translation of a planned body to the body on the wire, right before it is sent.

References, and the names that a body gives to its own parts, become full resource names. Fields that follow
from the path of the file are set. Secrets stay wrapped until they are sent. The marks of the model decide, not
the form of a value.
"""

from collections.abc import Sequence
from typing import Any

from cesplan.domain.field_path import FieldPath, MaskPath
from cesplan.domain.naming import Naming
from cesplan.domain.value import Body
from cesplan.model.marks import OwnName
from cesplan.model.spec import FieldSpec, MessageSpec
from cesplan.model.walk import Rewriting, Trail


def to_wire(spec: MessageSpec, body: Body, naming: Naming, mask: Sequence[MaskPath] = ()) -> Body:
    """
    The body as it is sent, except that secrets are still wrapped.

    An update sets only what its mask covers. Without a mask everything is set.
    """
    sent: Body = _Translation(naming, tuple(mask)).message(spec, body)
    return sent


class _Translation(Rewriting):
    def __init__(self, naming: Naming, mask: tuple[MaskPath, ...]) -> None:
        self._naming = naming
        self._mask = mask

    def message(self, spec: MessageSpec, body: Any, at: Trail = ()) -> Any:
        sent = super().message(spec, body, at)
        for known in spec.fields.values():
            if known.is_from_place and self._is_sent(FieldPath((*at, known.name))):
                sent[known.name] = self._naming.app_name
        return sent

    def _is_sent(self, path: FieldPath) -> bool:
        return not self._mask or any(mask.covers(path.mask) for mask in self._mask)

    def leaf(self, known: FieldSpec, value: Any, at: Trail) -> Any:
        return self._text(known, value) if isinstance(value, str) else value

    def _text(self, known: FieldSpec, value: str) -> str:
        own = known.mark(OwnName)
        if own is not None:
            return self._naming.to_name(value if "/" in value else f"{own.collection}/{value}")
        if known.reference is not None and known.reference.kinds:
            return self._naming.to_name(value)
        return value
