"""Weakened protection: where an operation allows, trusts or retains more than before."""

from cesplan.domain.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Weakening:
    """One place where protection is weakened."""

    code: str
    """The code of the rule, such as `WEA001`."""
    path: str
    """The field; empty for the resource as a whole."""
    text: str
    """The effect, in one line."""
