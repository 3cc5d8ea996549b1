"""Settings of all tests."""

import gc
import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.warm import Warm, launched

settings.register_profile(
    "cesplan",
    settings.default,
    # How long an example takes says something about the machine, not about the code.
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("cesplan")

# Twelve thousand tests are collected, and none of them goes before the end: the collector of garbage would walk
# all of them again and again, a third of the time of collecting and a tenth of that of the tests.
gc.disable()

# Tests start hundreds of processes, and each would compile the modules that it imports. Where bytecode goes is
# ignored by git; `sys` is for this process and its import of the tests, the variable for those that it starts.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

for name, default in (("SIGINT", signal.default_int_handler), ("SIGHUP", signal.SIG_DFL)):
    # What runs tests in the background may ignore these, and every process under test would inherit that.
    number = getattr(signal, name, None)  # Windows has no SIGHUP
    if number is not None and signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, default)

for name in ("CI", "GITHUB_ACTIONS", *(name for name in os.environ if name.startswith("CESPLAN_"))):
    # What runs the tests may be a pipeline itself; those that are about pipelines set what they need.
    if name not in ("CESPLAN_CONFORMANCE_ENDPOINT", "CESPLAN_CXAS_PYTHON", "CESPLAN_WRITE_EXPECTED"):
        os.environ.pop(name, None)

# Tests read trees of their own, and those of the cache give it a folder.
os.environ["CESPLAN_NO_CACHE"] = "1"

# Tests write many small files, and cesplan waits for the disk at each of its own. In memory, if there is enough
# of it and programs may run from there, that takes half of the kernel's time, and nothing waits.
with suppress(OSError, AttributeError):  # there is no such folder, or no such function
    memory = os.statvfs("/dev/shm")
    if not memory.f_flag & os.ST_NOEXEC and memory.f_bavail * memory.f_frsize > 4 << 30:
        os.environ.setdefault("TMPDIR", "/dev/shm")
        tempfile.tempdir = None

# Repositories of tests need no copies of git's sample hooks, and no process after each commit that tidies them.
os.environ |= {
    "GIT_TEMPLATE_DIR": "",
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "maintenance.auto",
    "GIT_CONFIG_VALUE_0": "false",
}


def pytest_configure(config: pytest.Config) -> None:
    """
    Let pytest-randomly shuffle the tests, but not seed the generators of `random` thrice for each of them.

    Tests that draw have generators of their own, and seeding takes a tenth of the time of small tests.
    """
    if hasattr(config.option, "randomly_reset_seed"):
        config.option.randomly_reset_seed = False


def pytest_collection_finish() -> None:
    """
    From here on garbage is collected, and what is there by now is not looked at.

    A search for each 700 new objects, the default, takes a twentieth of the time of the tests.
    """
    gc.freeze()
    gc.set_threshold(20_000)
    gc.enable()


@pytest.fixture(scope="session")
def warm() -> Iterator[Warm]:
    """A server of forks for cesplan."""
    # Not below the folder of the tests: the path of a socket is short.
    with tempfile.TemporaryDirectory() as folder, launched(Path(folder)) as made:
        yield made


@pytest.fixture(scope="session")
def forked(warm: Warm, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The command `cesplan` as a fork; what is started is its caller, so it gets no signals."""
    folder = tmp_path_factory.mktemp("forked") / "bin"
    warm.install(folder)
    return str(folder / "cesplan")
