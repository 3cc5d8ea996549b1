"""What a metrics file says, as the parser of Prometheus's own client reads it."""

from prometheus_client.parser import text_string_to_metric_families

from cesplan.domain.address import parse_address
from cesplan.domain.features.drift import DriftClass
from cesplan.features.drift.alarm.metrics import metrics
from tests.unit.features.drift.reports import app, created, field_drift, report


def read(text: str) -> dict[str, dict[tuple[str, ...], float]]:
    """The samples by name, and in it by the values of their labels."""
    found: dict[str, dict[tuple[str, ...], float]] = {}
    for family in text_string_to_metric_families(text):
        assert family.type == "gauge"
        assert family.documentation
        for sample in family.samples:
            of_family = found.setdefault(sample.name, {})
            labels = tuple(sample.labels.values())
            assert labels not in of_family, "the same series twice"
            of_family[labels] = sample.value
    return found


DESK = ("desk", "prod", "acme-prod", "us", "", ".")


def test_differences_are_counted_by_app_environment_kind_and_class() -> None:
    """The classes of the alarm are there with 0, so that a query has something to compare."""
    pending = field_drift(path="description", drift_class=DriftClass.PENDING)
    quiet = app(key="quiet", managed=2)
    found = read(
        metrics(report(app(field_drift(), field_drift(path="displayName"), pending, created()), quiet))
    )
    assert found["cesplan_drift_differences"] == {
        (*DESK, "agents", "drift"): 2,
        (*DESK, "agents", "pending"): 1,
        (*DESK, "tools", "drift"): 1,
        (*DESK, "apps", "drift"): 0,
        (*DESK, "apps", "conflict"): 0,
        ("quiet", *DESK[1:], "apps", "drift"): 0,
        ("quiet", *DESK[1:], "apps", "conflict"): 0,
    }


def test_time_duration_coverage_requests_and_success_are_told() -> None:
    checked = app(unmanaged=(parse_address("desk/tools/x"),), requests=9)
    failed = app(key="gone", error="It could not be read.", exit_code=1, requests=2)
    found = read(metrics(report(checked, failed)))
    gone = ("gone", *DESK[1:])
    assert found["cesplan_drift_success"] == {DESK: 1, gone: 0}
    assert found["cesplan_drift_requests"] == {DESK: 9, gone: 2}
    assert found["cesplan_drift_coverage_ratio"] == {DESK: 0.8}
    assert found["cesplan_drift_unmanaged_resources"] == {DESK: 1}
    assert found["cesplan_drift_last_check_timestamp_seconds"] == {DESK: 1795240800}
    assert found["cesplan_drift_last_run_timestamp_seconds"] == {(): 1795240800}
    assert found["cesplan_drift_duration_seconds"] == {(): 1.5}


def test_what_is_ignored_is_counted_apart() -> None:
    found = read(metrics(report(app(field_drift(ignored="tuned live")))))
    assert found["cesplan_drift_ignored"] == {DESK: 1}
    assert sum(found["cesplan_drift_differences"].values()) == 0


def test_names_of_others_cannot_make_lines_of_their_own() -> None:
    """Quotes, backslashes, line feeds and lone surrogates stay inside their label."""
    nasty = 'a"} 1\nevil_metric 1\n\\\r\u2028\udcff'
    found = read(metrics(report(app(key=nasty), app(key=nasty))))
    assert "evil_metric" not in found
    ((name, *_),) = found["cesplan_drift_success"]
    assert name.startswith('a"} 1')
    metrics(report(app(key=nasty))).encode("utf-8")


def test_a_joined_report_has_no_duration_and_one_without_a_time_no_time() -> None:
    found = read(metrics(report(app(), seconds=None, checked_at="")))
    assert not {name for name in found if "seconds" in name}
