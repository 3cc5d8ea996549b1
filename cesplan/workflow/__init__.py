"""
The public API of the library: validate, plan, apply.

Each workflow is a function of a few lines that calls the stages in order and returns their value. It must not
print, parse arguments, or know anything about a kind.

    from pathlib import Path
    from cesplan.workflow import Connection, apply, plan

    planned = plan(Path("."), environment="prod")
    for event in apply(planned.plan):
        ...
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cesplan.workflow.apply_plan import apply, applying
    from cesplan.workflow.connecting import Connection, connected
    from cesplan.workflow.emulating import emulator, serve_emulator
    from cesplan.workflow.merging import merge
    from cesplan.workflow.planning import Planned, plan
    from cesplan.workflow.pulling import pull
    from cesplan.workflow.reviewed import load_reviewed, rechecked
    from cesplan.workflow.saving import save
    from cesplan.workflow.starting import start
    from cesplan.workflow.validating import validate

__all__ = [
    "Connection",
    "Planned",
    "apply",
    "applying",
    "connected",
    "emulator",
    "load_reviewed",
    "merge",
    "plan",
    "pull",
    "rechecked",
    "save",
    "serve_emulator",
    "start",
    "validate",
]

_HOMES = {
    "Connection": "connecting",
    "Planned": "planning",
    "apply": "apply_plan",
    "applying": "apply_plan",
    "connected": "connecting",
    "emulator": "emulating",
    "merge": "merging",
    "load_reviewed": "reviewed",
    "plan": "planning",
    "pull": "pulling",
    "rechecked": "reviewed",
    "save": "saving",
    "serve_emulator": "emulating",
    "start": "starting",
    "validate": "validating",
}


def __getattr__(name: str) -> Any:
    """Workflows are imported when they are first used: a command pays only for what it uses."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
