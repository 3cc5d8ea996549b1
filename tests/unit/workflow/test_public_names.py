"""The public names of the library, as a program imports them."""

import subprocess
import sys
from pathlib import Path
from types import ModuleType

import cesplan.workflow


def test_no_public_name_is_that_of_a_module() -> None:
    """Once a module of this name was imported, the package would give it in place of the function."""
    modules = {path.stem for path in Path(cesplan.workflow.__file__).parent.iterdir()}
    assert not modules & {*cesplan.workflow.__all__}
    assert not any(isinstance(getattr(cesplan.workflow, name), ModuleType) for name in cesplan.workflow.__all__)


_PROGRAM = """
import sys
from cesplan.cli.group import COMMANDS, group
commands = [group.get_command(None, name) for name in COMMANDS]
heavy = ("pydantic", "urllib3", "rich", "ruamel", "cesplan.engine", "cesplan.remote.client", "cesplan.emulator")
print(*sorted(name for name in heavy if name in sys.modules))
"""


def test_commands_import_what_they_do_only_when_they_do_it() -> None:
    """The help of each of them, and the completion of a shell, cost no import of what it would run."""
    done = subprocess.run([sys.executable, "-c", _PROGRAM], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.strip() == ""
