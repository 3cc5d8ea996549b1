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


_VALIDATES = """
import sys
from cesplan.cli.running import run
code = run(["validate"])
heavy = (
    "pydantic", "urllib3", "rich", "cel_expr_python", "cesplan.domain.plan", "cesplan.config.codes.checks",
    "cesplan.features.policy.language", "cesplan.features.releases.files.reading",
    "cesplan.features.typed_diffs", "cesplan.emulator", "tempfile", "subprocess", "difflib",
)
print(code, *sorted(name for name in heavy if name in sys.modules))
"""


def test_a_tree_without_findings_is_validated_without_what_plans_and_reports_need() -> None:
    """Each module here once was imported by every command."""
    example = Path(cesplan.workflow.__file__).parents[2] / "examples" / "minimal"
    command = [sys.executable, "-c", _VALIDATES]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True, cwd=example)
    assert done.stdout.splitlines()[-1] == "0"


def test_commands_import_what_they_do_only_when_they_do_it() -> None:
    """The help of each of them, and the completion of a shell, cost no import of what it would run."""
    done = subprocess.run([sys.executable, "-c", _PROGRAM], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.strip() == ""
