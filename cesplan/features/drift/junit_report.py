"""A drift report as JUnit XML: every app is a test case, and drift is a failure."""

from collections.abc import Iterator

from cesplan.domain.features.drift import AppDrift, DriftItem, DriftReport
from cesplan.domain.text.words import count
from cesplan.features.drift.text_report import by_words, said
from cesplan.render.services.junit import Case, suite


def drift_junit(report: DriftReport) -> str:
    """One test case per app; an app that cannot be checked is an error."""
    return suite("cesplan drift", [_case(app) for app in report.apps])


def _case(app: AppDrift) -> Case:
    found = [_row(item) for item in app.alarming]
    failure = (count(len(found), "difference"), "\n".join(found))
    return Case(
        group=" ".join(filter(None, [app.tree, app.environment, app.place])) or "drift",
        name=app.app or app.tree,
        failure=failure if found and not app.error else None,
        error=(app.error.split("\n")[0], app.error) if app.error else None,
        output=[*_others(app), *app.notices],
    )


def _others(app: AppDrift) -> Iterator[str]:
    return (_row(item) for item in app.items if not item.is_alarming)


def _row(item: DriftItem) -> str:
    by = by_words(item)
    return f"{item.drift_class} {item.named}: {said(item)}{f' ({by})' if by else ''}"
