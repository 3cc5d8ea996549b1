"""A release as Markdown: the comment that a reviewer sees, with untrusted text escaped, and never too long."""

from cesplan.domain.text.words import count
from cesplan.features.releases import words
from cesplan.features.releases.report import ReleaseReport
from cesplan.features.releases.words import ENDING_VERDICTS, Row
from cesplan.render.services.markdown import LIMIT, mark
from cesplan.render.services.markdown_escaping import code_html, inert
from cesplan.render.verdicts import VERDICT_MARKS

_LONGEST = 400
_MOST_ROWS = 100
_MOST_FOLDED = 200


def release_markdown(report: ReleaseReport, *, limit: int = LIMIT) -> str:
    """A report of at most `limit` characters, ended by a line feed."""
    sign = VERDICT_MARKS[ENDING_VERDICTS[report.ending]]
    head = [
        mark("release", report.service.environment),
        f"### cesplan release {report.action} · {inert(words.title(report))}",
        "",
        f"{sign} **{_flat(report.summary)}**",
        "",
        *(f"- {_flat(text)}" for text in words.place(report)),
        "",
    ]
    rows = words.rows(report)
    table = ["| | | |", "|---|---|---|", *map(_row, rows[:_MOST_ROWS])] if rows else []
    tail = ["", *(f"- {_flat(text)}" for text in (words.cost(report), *report.notices) if text)]
    if len(rows) > _MOST_ROWS:
        table.append(f"| | | … and {len(rows) - _MOST_ROWS} more |")
    found = "\n".join([*head, *table, *tail])
    room = limit - len(found.encode()) - 200
    return f"{found}\n{_objections(report, room)}"


def _objections(report: ReleaseReport, room: int) -> str:
    """The objections to the candidate, as many as there is room for."""
    every = report.gate.objections if report.gate else ()
    if not every:
        return ""
    lines = []
    for item in every[:_MOST_FOLDED]:
        text = f"- {VERDICT_MARKS[item.verdict]} {code_html(item.where)} {_flat(item.text)}"
        room -= len(text.encode()) + 1
        if room < 0:
            break
        lines.append(text)
    if len(lines) < len(every):
        lines.append(f"- … and {len(every) - len(lines)} more")
    title = f"<details open><summary>{count(len(every), 'objection')}</summary>"
    return "\n".join(["", title, "", *lines, "", "</details>", ""])


def _row(row: Row) -> str:
    verdict, subject, text = row
    cells = (VERDICT_MARKS[verdict], code_html(subject), _flat(text))
    return f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |"


def _flat(text: str) -> str:
    flat = " ".join(text.split())
    return inert(flat if len(flat) <= _LONGEST else f"{flat[:_LONGEST]} …")
