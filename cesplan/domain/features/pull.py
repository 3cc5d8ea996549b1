"""Pulls: which files were written, and which were not."""

from pathlib import Path

from cesplan.domain.address import Address, AppKey
from cesplan.domain.diagnostic import Diagnostic
from cesplan.domain.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Pulled:
    """
    The result of a pull.

    `written` are the files whose content changed. `equal` counts resources whose file already matches.
    `differing` are resources whose file differs; if there are any, nothing was written. `only_in_tree` are
    resources that are not live. `diagnostics` are the findings about the current tree. `service` is the service
    that was read, if not the default one.
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
