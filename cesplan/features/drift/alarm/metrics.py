"""
Metrics of a report in the Prometheus text exposition format, for the textfile collector of node_exporter.

All are gauges of the last run. An app that could not be checked has only `cesplan_drift_success 0`; the time of
its last check is missing, so that an alert on old numbers is possible. Source: Prometheus, "Exposition
formats", text-based format 0.0.4.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from cesplan.domain.features.drift import AppDrift, DriftClass, DriftReport
from cesplan.domain.frozen import dataclass
from cesplan.render.page import printable

_ESCAPED = {"\\": r"\\", '"': r"\"", "\n": r"\n"}
_SPECIAL = re.compile(r'[\\"\n]')

Labels = Mapping[str, str]
Sample = tuple[Labels, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Family:
    name: str
    help: str
    samples: Sequence[Sample]


def metrics(report: DriftReport) -> str:
    """The text of a metrics file, the same for the same report."""
    return "".join(row for family in _families(report) if family.samples for row in _rows(family))


def _families(report: DriftReport) -> Iterator[_Family]:
    checked = [app for app in report.apps if not app.error]
    yield _Family(
        name="cesplan_drift_differences",
        help="Differences between the tree, live, and the last applied state, by kind and class.",
        samples=[sample for app in checked for sample in _differences(app)],
    )
    yield _Family(
        name="cesplan_drift_ignored",
        help="Differences that rules ignore.",
        samples=[(_labels(app), sum(bool(item.ignored) for item in app.items)) for app in checked],
    )
    yield _Family(
        name="cesplan_drift_managed_resources",
        help="Live resources that the tree has.",
        samples=[(_labels(app), app.managed) for app in checked],
    )
    yield _Family(
        name="cesplan_drift_unmanaged_resources",
        help="Live resources that the tree does not manage.",
        samples=[(_labels(app), len(app.unmanaged)) for app in checked],
    )
    yield _Family(
        name="cesplan_drift_coverage_ratio",
        help="The share of live resources that the tree manages, from 0 to 1.",
        samples=[(_labels(app), app.coverage) for app in checked],
    )
    yield _Family(
        name="cesplan_drift_requests",
        help="Requests that the check of the app took.",
        samples=[(_labels(app), app.requests) for app in report.apps],
    )
    yield _Family(
        name="cesplan_drift_success",
        help="1 if the app could be checked, 0 if not.",
        samples=[(_labels(app), not app.error) for app in report.apps],
    )
    time = _seconds(report.checked_at)
    if time is not None:
        yield _Family(
            name="cesplan_drift_last_check_timestamp_seconds",
            help="When the app was checked, in seconds since 1970.",
            samples=[(_labels(app), time) for app in checked],
        )
        yield _Family(
            name="cesplan_drift_last_run_timestamp_seconds",
            help="When the run began, in seconds since 1970, whether it succeeded or not.",
            samples=[({}, time)],
        )
    if report.seconds is not None:
        yield _Family(
            name="cesplan_drift_duration_seconds", help="How long the run took.", samples=[({}, report.seconds)]
        )


def _differences(app: AppDrift) -> Iterator[Sample]:
    """By kind of resource and class; the two classes of the alarm are there with 0, so that alerts can end."""
    found = Counter((str(item.address.kind), item.drift_class) for item in app.items if not item.ignored)
    for alarming in (DriftClass.DRIFT, DriftClass.CONFLICT):
        found.setdefault(("apps", alarming), 0)
    for (kind, drift_class), number in sorted(found.items()):
        yield {**_labels(app), "kind": kind, "class": drift_class}, number


def _labels(app: AppDrift) -> Labels:
    return {
        "app": app.app,
        "environment": app.environment,
        "project": app.project,
        "location": app.location,
        "service": app.where,
        "tree": app.tree,
    }


def _rows(family: _Family) -> Iterable[str]:
    yield f"# HELP {family.name} {family.help}\n"
    yield f"# TYPE {family.name} gauge\n"
    once: dict[tuple[str, ...], Sample] = {}
    for labels, value in family.samples:
        once.setdefault((*labels.values(),), (labels, value))  # the same twice makes the whole file invalid
    for labels, value in once.values():
        inside = ",".join(f'{name}="{_escaped(text)}"' for name, text in labels.items())
        yield f"{family.name}{{{inside}}} {_number(value)}\n" if inside else f"{family.name} {_number(value)}\n"


def _escaped(text: str) -> str:
    return _SPECIAL.sub(lambda found: _ESCAPED[found[0]], printable(text))


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(float(value))


def _seconds(time: str) -> float | None:
    try:
        found = datetime.fromisoformat(time)
    except ValueError:
        return None
    return found.timestamp() if found.tzinfo else None
