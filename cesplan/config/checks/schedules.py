"""CES067, CES071: fields of a scheduled evaluation run that cannot be combined."""

from collections.abc import Iterator

from cesplan.config.checks.walking import inside, text_at
from cesplan.config.manifest import AppTree, Finding, ResourceFile
from cesplan.domain.field_path import FieldPath

_WITH_DAYS = frozenset({"WEEKLY", "BIWEEKLY"})


def check_schedules(tree: AppTree) -> list[Finding]:
    """Days apply only to weekly schedules. A run uses evaluations or a dataset."""
    return [
        finding
        for file in tree.of("scheduledEvaluationRuns")
        for finding in (*_days(file), *_what_is_run(file))
    ]


def _days(file: ResourceFile) -> Iterator[Finding]:
    frequency = text_at(file.body, "schedulingConfig", "frequency")
    if inside(file.body, "schedulingConfig", "daysOfWeek") and frequency not in _WITH_DAYS:
        yield Finding(
            code="CES067",
            file=file,
            path=FieldPath(("schedulingConfig", "daysOfWeek")),
            summary=f"`daysOfWeek` does not apply to the frequency {frequency or 'unset'}",
            detail="Days apply only to WEEKLY and BIWEEKLY.",
            at_key=True,
        )


def _what_is_run(file: ResourceFile) -> Iterator[Finding]:
    if inside(file.body, "request", "evaluations") and inside(file.body, "request", "evaluationDataset"):
        yield Finding(
            code="CES071",
            file=file,
            path=FieldPath(("request", "evaluationDataset")),
            summary="`evaluationDataset` and `evaluations` are both set",
            detail="A run uses a dataset or a list of evaluations. Remove one of them.",
            at_key=True,
        )
