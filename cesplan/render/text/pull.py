"""The result of a pull as text."""

from collections.abc import Mapping, Sequence

from cesplan.domain.address import Address
from cesplan.domain.features.pull import Pulled
from cesplan.domain.text.words import count
from cesplan.render.page import BLANK, Ink, Line, Page, Span, labeled, line, paint, wrapped
from cesplan.render.text.layout import PLAIN, View
from cesplan.render.text.plan import hints_page

_MOST_FILES = 30
_MOST_FIELDS = 6
_WHOLE = " (--format json has all)"


def pull_text(pulled: Pulled, *, hints: Mapping[str, str], view: View = PLAIN) -> str:
    """The files that were written, or why there are none; ended by a line feed."""
    page: Page = [*_differing(pulled.differing, view), *_files(pulled.written)]
    page += [BLANK] if page else []
    page.append(_summary(pulled))
    if pulled.only_in_tree:
        names = ", ".join(map(str, pulled.only_in_tree))
        page += wrapped((Span("Not live yet, left as is: "), Span(names)), view.width, 2)
    for text in pulled.notices:
        page += labeled("Notice: ", text, view.width)
    return paint([*page, *hints_page(hints)], colour=view.colour)


def _files(written: Sequence[str]) -> Page:
    shown = written if len(written) <= _MOST_FILES + 1 else written[:_MOST_FILES]
    page = [line("  ", Span(f"+ {name}", Ink.CREATE)) for name in shown]
    rest = len(written) - len(shown)
    return [*page, line(f"  … and {count(rest, 'more file', 'more files')}{_WHOLE}")] if rest else page


def _differing(differing: Sequence[tuple[Address, Sequence[str]]], view: View) -> Page:
    page: Page = []
    for address, fields in differing:
        rest = len(fields) - _MOST_FIELDS
        names = ", ".join(fields[:_MOST_FIELDS]) + (f" … and {rest} more{_WHOLE}" if rest > 0 else "")
        page += wrapped((Span(f"  ~ {address}", Ink.UPDATE), Span(f"  {names}")), view.width, 6)
    return page


def _summary(pulled: Pulled) -> Line:
    app = f"{pulled.app} ({pulled.service})" if pulled.service else str(pulled.app)
    if pulled.differing:
        number = count(len(pulled.differing), "file differs", "files differ")
        return line(Span("Nothing was written. ", Ink.STRONG), f"{number} from live in {app}.")
    if not pulled.written:
        text = f"{app}: {count(pulled.equal, 'resource')} compared, no differences."
        return line(Span("Nothing to write. ", Ink.STRONG), text)
    text = f"{count(len(pulled.written), 'file')} written for {count(pulled.resources, 'resource')}."
    return line(Span(f"{app}: ", Ink.STRONG), text)
