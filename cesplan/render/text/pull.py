"""What a pull did, as people read it."""

from collections.abc import Mapping, Sequence

from cesplan.domain.address import Address
from cesplan.domain.text.words import count
from cesplan.render.page import BLANK, Ink, Page, Span, labeled, line, paint, wrapped
from cesplan.render.text.layout import PLAIN, View
from cesplan.render.text.plan import hints_page

_MOST_FILES = 30
_MOST_FIELDS = 6
_WHOLE = " (--format json has all)"


def pull_text(
    app: str,
    *,
    written: Sequence[str],
    resources: int,
    equal: int,
    differing: Sequence[tuple[Address, Sequence[str]]] = (),
    only_in_tree: Sequence[Address] = (),
    notices: Sequence[str] = (),
    service: str = "",
    hints: Mapping[str, str] | None = None,
    view: View = PLAIN,
) -> str:
    """
    The files that were written, or why none was; ended by a line feed.

    `service` is the service that was read, where that is not the default one.
    """
    page: Page = [*_differing(differing, view), *_files(written)]
    page += [BLANK] if page else []
    named = f"{app} ({service})" if service else app
    page.append(_summary(named, written, resources, equal, differing))
    if only_in_tree:
        names = ", ".join(map(str, only_in_tree))
        page += wrapped((Span("Not live yet, left as is: "), Span(names)), view.width, 2)
    for text in notices:
        page += labeled("Notice: ", text, view.width)
    return paint([*page, *hints_page(hints or {})], colour=view.colour)


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


def _summary(
    app: str,
    written: Sequence[str],
    resources: int,
    equal: int,
    differing: Sequence[tuple[Address, Sequence[str]]],
) -> tuple[Span, ...]:
    if differing:
        number = count(len(differing), "file differs", "files differ")
        return line(Span("Nothing was written. ", Ink.STRONG), f"{number} from live in {app}.")
    if not written:
        return line(
            Span("Nothing to write. ", Ink.STRONG),
            f"{app}: {count(equal, 'resource')} compared, no differences.",
        )
    return line(
        Span(f"{app}: ", Ink.STRONG),
        f"{count(len(written), 'file')} written for {count(resources, 'resource')}.",
    )
