"""A run as a page: the verdict, a row per evaluation, and expected and observed for what did not pass."""

from collections.abc import Iterator, Mapping

from cesplan.domain.features.evaluation import (
    EvaluationVerdict,
    FoundEvaluation,
    FoundResult,
    RunReport,
)
from cesplan.features.evaluation import words
from cesplan.render.html.heading import VERDICT_LOOKS, Heading, mark_of
from cesplan.render.html.page import anchor
from cesplan.render.html.report import Article, Box, HtmlReport, Section, Slot, Table, report_html
from cesplan.render.scores import judge_calls


def evaluation_html(report: RunReport, hints: Mapping[str, str] = {}) -> str:
    """The page of a run; ends with a line feed. `hints` are the commands to type next."""
    ordered = sorted(report.evaluations, key=lambda item: item.verdict.rank)
    found = [(anchor(number), item) for number, item in enumerate(ordered)]
    service = report.service
    heading = Heading(
        title=f"Evaluation of {report.demand.app_key}",
        environment=service.environment,
        where=service.place.short,
        service=service.where,
        verdict=f"{str(report.verdict).capitalize()}: {words.summary(report)}",
        looks=VERDICT_LOOKS[report.verdict],
        facts=(words.settings(report), f"run {report.run_id}"),
    )
    return report_html(
        HtmlReport(
            heading=heading,
            boxes=tuple(_boxes(report)),
            sections=tuple(_sections(found)),
            after=(
                Box(title="Numbers", items=tuple(_numbers(report))),
                Box(title="Notices", items=report.notices),
            ),
            hints=hints,
        )
    )


def _boxes(report: RunReport) -> Iterator[Box]:
    """Problems of the run as a whole, and the comparison with the baseline."""
    yield Box(
        title="About the whole run",
        items=tuple(item.text for item in report.problems),
        looks="stop" if report.verdict is EvaluationVerdict.FAILED else "alert",
    )
    if report.comparison:
        compared = report.comparison
        looks = "stop" if compared.regressions else ""
        yield Box(
            title=f"Compared with {compared.baseline}", items=tuple(words.comparison(compared)), looks=looks
        )


def _sections(found: list[tuple[str, FoundEvaluation]]) -> Iterator[Section]:
    if not found:
        return
    articles = tuple(_article(place, item) for place, item in found if _has_details(item))
    linked = {item.anchor for item in articles}
    rows = tuple(
        (
            Slot(mark=mark_of(item.verdict)),
            Slot(
                text=item.demanded.reference,
                anchor=place if place in linked else "",
                more=item.demanded.display_name,
            ),
            Slot(text=words.share(item)),
        )
        for place, item in found
    )
    table = Table(label="Evaluations", columns=("Verdict", "Evaluation", "Repeats passed"), rows=rows)
    yield Section(title="Evaluations", tables=(table,), articles=articles)


def _has_details(item: FoundEvaluation) -> bool:
    return item.verdict is not EvaluationVerdict.PASSED or bool(item.criteria)


def _article(place: str, item: FoundEvaluation) -> Article:
    return Article(
        anchor=place,
        looks=str(VERDICT_LOOKS[item.verdict]),
        said=str(item.verdict),
        address=item.demanded.reference,
        name=item.demanded.display_name,
        lines=(f"{words.share(item)} repeats passed",),
        warnings=tuple(problem.text for problem in item.problems),
        quiet=tuple(words.criteria(item)),
        tables=tuple(_repeat(number, found) for number, found in words.troubled(item)),
    )


def _repeat(number: int, found: FoundResult) -> Table:
    """The problems of one repeat, turn by turn if it has turns."""
    persona = f", played by {found.persona}" if found.persona else ""
    rows = [(Slot(), Slot(text="result"), Slot(), Slot(text=problem.text)) for problem in found.problems]
    rows += [
        (
            Slot(text=str(step.turn or "")),
            Slot(text=step.what, more=step.note),
            Slot(text=step.expected, is_code=True),
            Slot(text=step.observed, is_code=True),
        )
        for step in words.wrong_steps(found)
    ]
    rows += [
        (Slot(text=str(score.turn or "")), Slot(text="score"), Slot(), Slot(text=words.score(score)))
        for score in words.low_scores(found)
    ]
    rows += [
        (
            Slot(),
            Slot(text="expectation"),
            Slot(text=item.prompt),
            Slot(text=": ".join(filter(None, (item.outcome or "no outcome", item.explanation)))),
        )
        for item in found.expectations
        if item.outcome != "PASS"
    ]
    return Table(
        label=f"Repeat {number}{persona}",
        columns=("Turn", "What", "Expected", "Observed"),
        rows=tuple(rows),
        is_named=True,
    )


def _numbers(report: RunReport) -> Iterator[str]:
    yield from (f"Latency of {text}" for text in words.latency(report))
    yield words.sessions(report)
    if report.judge_calls is not None:
        yield f"Judges: {judge_calls(report.judge_calls)}."
