"""The first steps."""

import subprocess
import sys


def test_the_version_needs_no_library() -> None:
    """`cesplan --version` imports neither click nor rich nor any stage."""
    program = (
        "import sys; sys.argv = ['cesplan', '--version']\n"
        "from cesplan.__main__ import main; main()\n"
        "print(sorted({'click', 'rich', 'urllib3', 'pydantic'} & {*sys.modules}))\n"
        "print(sorted(name for name in sys.modules if name.startswith('cesplan')))"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    version, libraries, ours = ran.stdout.splitlines()
    assert version.startswith("cesplan ")
    assert libraries == "[]"
    assert ours == "['cesplan', 'cesplan.__main__', 'cesplan.cli', 'cesplan.cli.main']"
