"""A run as Markdown, for a comment or a job summary: failures first, cut to a maximum length."""

from functools import cache

from cesplan.domain.features.evaluation import ConversationStep, FoundEvaluation, RunReport
from cesplan.features.evaluation import words
from cesplan.render.scores import judge_calls
from cesplan.render.services.markdown import LIMIT, Comment, Detail, Item, fitted, mark, more_of
from cesplan.render.services.markdown_escaping import code_html, inert, inert_html
from cesplan.render.verdicts import VERDICT_MARKS

_MOST_ROWS = 20
_LONGEST = {Detail.FOLDED: 300, Detail.FULL: 2_000}


def evaluation_markdown(report: RunReport, *, limit: int = LIMIT) -> str:
    """A report of at most `limit` characters; ends with a line feed."""
    ordered = sorted(report.evaluations, key=lambda item: item.verdict.rank)
    comment = Comment(
        head=_head(report),
        items=[_item(item) for item in ordered],
        tail=_tail(report),
        rest=more_of("evaluation"),
    )
    return fitted(comment, limit)


def _head(report: RunReport) -> str:
    rows = [
        mark("evaluate", report.service.environment),
        f"### cesplan evaluate · {inert(words.place(report))}",
        "",
        f"{VERDICT_MARKS[report.verdict]} **{inert(words.summary(report))}**; {inert(words.settings(report))}.",
        "",
    ]
    rows += [f"- {VERDICT_MARKS[item.verdict]} {_one_line(item.text)}" for item in report.problems[:_MOST_ROWS]]
    if report.comparison:
        rows += ["", f"Compared with {code_html(report.comparison.baseline)}:", ""]
        rows += [f"- {_one_line(text)}" for text in words.comparison(report.comparison)]
    return "\n".join(rows) + "\n\n"


def _item(item: FoundEvaluation) -> Item:
    @cache
    def forms(level: Detail) -> str:
        if level is Detail.NONE:
            return ""
        title = code_html(item.demanded.reference)
        name = f" {inert_html(_flat(item.demanded.display_name))}" if item.demanded.display_name else ""
        row = f"{VERDICT_MARKS[item.verdict]} {title} {words.share(item)}{name}"
        rows = _details(item, level) if level is not Detail.LINE else []
        if not rows:
            return f"- {row}\n"
        is_open = " open" if level is Detail.FULL else ""
        inner = "".join(rows)
        return f"\n<details{is_open}><summary>{row}</summary>\n\n{inner}\n</details>\n\n"

    return Item(forms=forms, group=str(item.verdict))


def _details(item: FoundEvaluation, level: Detail) -> list[str]:
    rows = [f"- {_one_line(problem.text)}\n" for problem in item.problems]
    rows += [f"- {_one_line(text)}\n" for text in words.criteria(item)]
    for number, found in words.troubled(item):
        rows.append(f"\nRepeat {number}:\n\n")
        rows += [f"- {_one_line(problem.text)}\n" for problem in found.problems[:_MOST_ROWS]]
        rows += [f"- {_one_line(_cut(words.score(score), level))}\n" for score in words.low_scores(found)]
        rows += [
            f"- {_one_line(_cut(f'{one.outcome} {one.prompt}: {one.explanation}', level))}\n"
            for one in found.expectations
            if one.outcome != "PASS"
        ]
        steps = words.wrong_steps(found)
        if steps:
            rows.append("\n| turn | | expected | observed |\n|---|---|---|---|\n")
        rows += [_table_row(step, level) for step in steps[:_MOST_ROWS]]
        if len(steps) > _MOST_ROWS:
            rows.append(f"\n… and {len(steps) - _MOST_ROWS} more.\n")
    return rows


def _table_row(step: ConversationStep, level: Detail) -> str:
    both = f"{_cell(step.expected, level)} | {_cell(step.observed, level)}"
    return f"| {step.turn or ''} | {step.what} | {both} |\n"


def _tail(report: RunReport) -> str:
    texts = [*(f"Latency of {text}" for text in words.latency(report)), words.sessions(report)]
    texts += [f"Judges: {judge_calls(report.judge_calls)}."] if report.judge_calls else []
    texts += [f"Notice: {text}" for text in report.notices]
    rows = [f"- {_one_line(text)}" for text in texts[:_MOST_ROWS]]
    return "\n".join(["", *rows, f"- Run {code_html(report.run_id)}", ""])


def _cell(text: str, level: Detail) -> str:
    """A cell of a table: one line without markup."""
    return code_html(_flat(_cut(text, level))).replace("|", "&#124;")


def _one_line(text: str) -> str:
    return inert(_flat(text))


def _flat(text: str) -> str:
    return " ".join(text.split())


def _cut(text: str, level: Detail) -> str:
    longest = _LONGEST.get(level, _LONGEST[Detail.FOLDED])
    return text if len(text) <= longest else f"{text[:longest]} …"
