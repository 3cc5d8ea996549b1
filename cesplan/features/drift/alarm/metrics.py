"""
Metrics of a report in the Prometheus text exposition format, for the textfile collector of node_exporter.

All are gauges of the last run. An app that could not be checked has only `cesplan_drift_success 0`; the time of
its last check is missing, so that an alert on old numbers is possible. Source: Prometheus, "Exposition
formats", text-based format 0.0.4.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from cesplan.domain.features.drift import AppDrift, DriftClass, DriftReport
from cesplan.render.page import printable

_ESCAPED = {"\\": r"\\", '"': r"\"", "\n": r"\n"}
_SPECIAL = re.compile(r'[\\"\n]')

Labels = Mapping[str, str]
Sample = tuple[Labels, float]


Row = tuple[str, str, Callable[[AppDrift], float]]
"""A metric of each app: its name, its help, and its value."""

_OF_CHECKED: Sequence[Row] = (
    (
        "cesplan_drift_ignored",
        "Differences that rules ignore.",
        lambda app: sum(bool(item.ignored) for item in app.items),
    ),
    ("cesplan_drift_managed_resources", "Live resources that the tree has.", lambda app: app.managed),
    (
        "cesplan_drift_unmanaged_resources",
        "Live resources that the tree does not manage.",
        lambda app: len(app.unmanaged),
    ),
    (
        "cesplan_drift_coverage_ratio",
        "The share of live resources that the tree manages, from 0 to 1.",
        lambda app: app.coverage,
    ),
)
_OF_ALL: Sequence[Row] = (
    ("cesplan_drift_requests", "Requests that the check of the app took.", lambda app: app.requests),
    ("cesplan_drift_success", "1 if the app could be checked, 0 if not.", lambda app: not app.error),
)


def metrics(report: DriftReport) -> str:
    """The text of a metrics file, the same for the same report."""
    return "".join(
        row for name, about, found in _families(report) if found for row in _rows(name, about, found)
    )


def _families(report: DriftReport) -> Iterator[tuple[str, str, Sequence[Sample]]]:
    """Each metric: its name, its help, and its samples."""
    checked = [app for app in report.apps if not app.error]
    about = "Differences between the tree, live, and the last applied state, by kind and class."
    yield "cesplan_drift_differences", about, [sample for app in checked for sample in _differences(app)]
    for rows, apps in ((_OF_CHECKED, checked), (_OF_ALL, report.apps)):
        for name, about, value in rows:
            yield name, about, [(_labels(app), value(app)) for app in apps]
    time = _seconds(report.checked_at)
    if time is not None:
        about = "When the app was checked, in seconds since 1970."
        yield "cesplan_drift_last_check_timestamp_seconds", about, [(_labels(app), time) for app in checked]
        about = "When the run began, in seconds since 1970, whether it succeeded or not."
        yield "cesplan_drift_last_run_timestamp_seconds", about, [({}, time)]
    if report.seconds is not None:
        yield "cesplan_drift_duration_seconds", "How long the run took.", [({}, report.seconds)]


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


def _rows(name: str, about: str, samples: Sequence[Sample]) -> Iterable[str]:
    yield f"# HELP {name} {about}\n"
    yield f"# TYPE {name} gauge\n"
    once: dict[tuple[str, ...], Sample] = {}
    for labels, value in samples:
        once.setdefault((*labels.values(),), (labels, value))  # the same twice makes the whole file invalid
    for labels, value in once.values():
        inside = ",".join(f'{label}="{_escaped(text)}"' for label, text in labels.items())
        yield f"{name}{{{inside}}} {_number(value)}\n" if inside else f"{name} {_number(value)}\n"


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
