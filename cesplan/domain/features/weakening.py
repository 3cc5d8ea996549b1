"""Weakened protection: what of an operation lets pass, trusts or keeps more than before."""

from cesplan.domain.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Weakening:
    """One place at which protection falls."""

    code: str
    """The rule, such as `WEA001`."""
    path: str
    """The field; empty for the resource as a whole."""
    text: str
    """The effect, as one line of text."""
