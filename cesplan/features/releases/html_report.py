"""A release as a page: the result of the command, each part of the gate, and the objections."""

from collections.abc import Iterable, Iterator, Mapping

from cesplan.domain.features.gate import GateReport, JudgedEvaluation, JudgedSuite
from cesplan.domain.features.release import PartReport
from cesplan.features.releases import words
from cesplan.features.releases.canary import CanaryReport, Shares
from cesplan.features.releases.report import ReleaseReport
from cesplan.features.releases.words import ENDING_VERDICTS, Row
from cesplan.render.html.heading import VERDICT_LOOKS, Heading, mark_of
from cesplan.render.html.report import Box, HtmlReport, Section, Slot, Table, report_html


def release_html(report: ReleaseReport, hints: Mapping[str, str] = {}) -> str:
    """The page of a command, ended by a line feed. `hints` are the suggested next commands."""
    service, release = report.service, report.release
    heading = Heading(
        title=f"Release {release.name}, {report.action}",
        environment=service.environment,
        where=f"{release.app} · {service.place.short}",
        service=service.where,
        verdict=report.summary,
        looks=VERDICT_LOOKS[ENDING_VERDICTS[report.ending]],
        facts=tuple(words.place(report)),
    )
    return report_html(
        HtmlReport(
            heading=heading,
            boxes=(Box(title="Not converged", items=report.not_converged, looks="alert"),),
            sections=tuple(_sections(report)),
            after=(Box(title="Notices", items=report.notices),),
            hints=hints,
        )
    )


def _sections(report: ReleaseReport) -> Iterator[Section]:
    gate = report.gate
    if gate is not None and gate.objections:
        yield Section(title="Objections", tables=(_objections(gate),))
    if report.canary is not None:
        yield _canary(report.canary)
    if report.plan is not None and gate is None:
        yield Section(
            title="What the gate would run", tables=(_table("Plan of the gate", words.plan_rows(report.plan)),)
        )
    if gate is not None:
        cost = words.cost(report)
        facts = (cost,) if cost else ()
        yield Section(
            title="The gate", facts=facts, tables=(_table("Parts of the gate", words.gate_rows(report)),)
        )
        yield from map(_suite, gate.suites)
        for title, part in (("Smoke test", gate.smoke), ("Judges", gate.judges)):
            if part is not None and part.findings:
                yield _part(title, part)


def _table(label: str, rows: Iterable[Row]) -> Table:
    return Table(
        label=label,
        columns=("Verdict", "Part", "Findings"),
        rows=tuple(
            (Slot(mark=mark_of(verdict)), Slot(text=what), Slot(text=text)) for verdict, what, text in rows
        ),
    )


def _objections(gate: GateReport) -> Table:
    """All objections to the candidate, failures first."""
    ordered = sorted(gate.objections, key=lambda item: item.verdict.rank)
    return _table("Objections", ((item.verdict, item.where, item.text) for item in ordered))


def _canary(canary: CanaryReport) -> Section:
    shares = Table(
        label="Shares of conversations",
        columns=("Conversations", "Candidate", "Served version"),
        rows=tuple(map(_shares, canary.shares)),
    )
    until = f"The hold time of the step ends at {canary.until:%Y-%m-%d %H:%M} UTC." if canary.until else ""
    return Section(
        title="The canary",
        facts=(until,) if until else (),
        tables=(_table("Requirements of the step", words.canary_rows(canary)), shares),
    )


def _shares(item: Shares) -> tuple[Slot, ...]:
    return (
        Slot(text=str(item.metric)),
        *(Slot(text=f"{part:,} of {whole:,}") for part, whole in (item.candidate, item.served)),
    )


def _suite(suite: JudgedSuite) -> Section:
    ordered = sorted(suite.evaluations, key=lambda item: (item.verdict.rank, item.reference))
    table = Table(
        label=f"Evaluations of {suite.suite.name}",
        columns=("Verdict", "Evaluation", "Repeats", "Why"),
        rows=tuple(map(_evaluation, ordered)),
    )
    runs = tuple(f"run {item.run_id}" for item in suite.runs)
    return Section(title=f"suites.{suite.suite.name}", facts=(words.suite(suite), *runs), tables=(table,))


def _evaluation(item: JudgedEvaluation) -> tuple[Slot, ...]:
    undecided = f", {item.undecided} undecided" if item.undecided else ""
    return (
        Slot(mark=mark_of(item.verdict)),
        Slot(text=item.reference, more=", ".join(filter(None, (item.display_name, _critical(item))))),
        Slot(text=f"{item.passed} of {item.repeats} passed{undecided}"),
        Slot(text="; ".join(item.problems)),
    )


def _critical(item: JudgedEvaluation) -> str:
    return "critical" if item.is_critical else ""


def _part(title: str, part: PartReport) -> Section:
    rows = (
        (item.verdict, item.subject, item.text if item.is_required else f"{item.text} (only reported)".strip())
        for item in part.findings
    )
    return Section(title=title, tables=(_table(title, rows),))
