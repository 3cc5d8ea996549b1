"""Pulls: what was written to files, and what was not."""

from pathlib import Path

from cesplan.domain.address import Address, AppKey
from cesplan.domain.diagnostic import Diagnostic
from cesplan.domain.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Pulled:
    """
    What a pull did.

    `written` are files whose content changed; `equal` counts resources whose file said it already. `differing`
    are resources whose file says something else; where there are some, nothing was written at all.
    `only_in_tree` are resources that are not live. `diagnostics` are what is wrong with the tree as it is now.
    `service` is the service that was read, where that is not the default one.
    """

    root: Path
    app: AppKey
    written: tuple[str, ...] = ()
    equal: int = 0
    resources: int = 0
    differing: tuple[tuple[Address, tuple[str, ...]], ...] = ()
    only_in_tree: tuple[Address, ...] = ()
    notices: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    requests: int = 0
    service: str = ""
