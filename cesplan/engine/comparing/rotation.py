"""
Rotation: secrets whose marker has changed since the last complete apply, and the fields to send again.

`secret: {rotation: '2026-11'}` in cesplan.yaml gives a variable a marker. A field that is never returned cannot
be compared, so a new secret in it would go unnoticed, but a new marker is noticed. The stamp contains the
markers, and nothing that is derived from a secret.
"""

from collections.abc import Collection, Mapping

from cesplan.domain.app_metadata.stamp import Stamp
from cesplan.domain.desired import Desired, DesiredApp
from cesplan.domain.field_path import FieldPath
from cesplan.domain.frozen import dataclass
from cesplan.domain.value import Body, secret_variables


@dataclass(frozen=True, slots=True, kw_only=True)
class Rotated:
    """A secret variable whose marker differs from the one in the stamp. `before` is empty if it had none."""

    variable: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"rotation of {self.variable}: {self.before or 'none'} → {self.after}"


def rotations_of(app: DesiredApp, desired: Desired) -> dict[str, str]:
    """The markers of the secret variables that an app uses, by variable name."""
    if not desired.rotations:
        return {}
    used = secret_variables([[item.body, dict(item.extra)] for item in app.all()])
    return {name: marker for name, marker in desired.rotations.items() if name in used}


def rotated(stamp: Stamp, markers: Mapping[str, str]) -> tuple[Rotated, ...]:
    """The variables whose marker differs from the one in this stamp, sorted by name."""
    return tuple(
        Rotated(variable=name, before=stamp.rotations.get(name, ""), after=marker)
        for name, marker in sorted(markers.items())
        if stamp.rotations.get(name) != marker
    )


def fields_using(
    input_only: Body, variables: Collection[str], ignored: Collection[FieldPath] = ()
) -> frozenset[str]:
    """The names of the input-only fields that use one of these variables, except ignored ones."""
    return frozenset(
        name
        for name, value in input_only.items()
        if not secret_variables(value).isdisjoint(variables) and FieldPath((name,)) not in ignored
    )
