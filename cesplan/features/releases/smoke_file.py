"""Reading a file that contains only the steps of a smoke test, in the format of `smoke` in a release file."""

from cesplan.config.files import Files
from cesplan.config.report import FileReport
from cesplan.domain.features.release import SmokeStep
from cesplan.features.releases.files.file_shape import LONGEST_SMOKE, SMOKE_STEP
from cesplan.features.releases.files.reading import CODE, smoke_step
from cesplan.features.releases.files.shapes import ListOf, read

_STEPS = ListOf(item=SMOKE_STEP, at_least=1, at_most=LONGEST_SMOKE)


def read_smoke_file(path: str, files: Files) -> tuple[SmokeStep, ...]:
    """The steps of a list in a YAML file; none if it has errors, which go into the report of `files`."""
    found = files.sequence(path)
    if found is None:
        return ()
    source, root = found
    steps = read(_STEPS, root, "smoke", FileReport(source=source, report=files.report, code=CODE))
    return tuple(map(smoke_step, steps or ()))
