"""Compare a run with an earlier one: evaluations that passed in only one of the two."""

from collections.abc import Mapping

from cesplan.domain.features.evaluation import EvaluationVerdict, RunComparison, RunReport, RunSettings
from cesplan.domain.resource_name import last_id


def compared(
    report: RunReport, before: Mapping[str, EvaluationVerdict], settings: RunSettings | None, label: str
) -> RunComparison:
    """
    Compare by evaluation; `before` are the verdicts of the baseline by `evaluations/<key>`.

    `settings` are those of the baseline, None if unknown. Different settings cause a notice, because the two
    runs did not measure the same thing.
    """
    now = {item.demanded.reference: item.verdict for item in report.evaluations}
    both = sorted(now.keys() & before.keys())
    passed = EvaluationVerdict.PASSED
    return RunComparison(
        baseline=label,
        regressions=tuple(key for key in both if before[key] is passed and now[key] is not passed),
        fixes=tuple(key for key in both if before[key] is not passed and now[key] is passed),
        added=tuple(sorted(now.keys() - before.keys())),
        missing=tuple(sorted(before.keys() - now.keys())),
        notices=_notices(report.demand.settings, settings),
    )


def _notices(here: RunSettings, there: RunSettings | None) -> tuple[str, ...]:
    if there is None:
        return ()
    pairs = (("channel", here.channel, there.channel), ("method", here.method, there.method),
             ("tools", here.tools, there.tools), ("repeats", here.repeats, there.repeats),
             ("personas", _played(here), _played(there)))  # fmt: skip
    return tuple(
        f"The baseline ran with {name} {other or 'none'}, this run with {one or 'none'}."
        for name, one, other in pairs
        if one != other
    )


def _played(settings: RunSettings) -> str:
    return ", ".join(sorted(f"{last_id(item.persona)} ×{item.tasks}" for item in settings.personas))
