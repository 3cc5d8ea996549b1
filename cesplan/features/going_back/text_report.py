"""The messages of going back."""

from collections.abc import Iterator, Mapping, Sequence

from cesplan.domain.features.going_back import MoveResult, RestoreResult
from cesplan.domain.features.serving import Share
from cesplan.domain.plan import Action
from cesplan.domain.settings import Settings
from cesplan.domain.text.words import count, first_rows
from cesplan.features.going_back.plans import DeploymentMove, DraftRestore, GoingBack
from cesplan.render.page import BLANK, Ink, Page, Span, line, paint, wrapped
from cesplan.render.text.layout import View

_MOST_LISTED = 20


def place_words(found: GoingBack, settings: Settings) -> str:
    """`help-desk in acme/us (EMULATOR), environment prod`."""
    place = settings.place.short
    where = f" ({settings.where})" if settings.where else ""
    environment = f", environment {settings.environment}" if settings.environment else ""
    return f"{found.app_key} in {place}{where}{environment}"


def shares_words(shares: Sequence[Share], titles: Mapping[str, str]) -> str:
    """`Second (95%), First (5%)`."""
    return (
        ", ".join(
            titles.get(item.version, item.version)
            + (f" ({item.percent}%)" if item.percent not in (None, 100) else "")
            for item in shares
        )
        or "no version"
    )


def move_rows(move: DeploymentMove, titles: Mapping[str, str]) -> Iterator[str]:
    """The target of a deployment, and the reason."""
    key, to = move.address.key, move.target.version.title
    if move.plan.is_empty:
        yield f"{key} already serves {to}{f': {move.target.why}' if move.target.is_back else ''}."
        return
    split = "; the traffic split is removed" if len(move.now) > 1 else ""
    yield f"{key}: {shares_words(move.now, titles)} → {to} ({move.target.why}){split}"


def draft_rows(draft: DraftRestore) -> Iterator[str]:
    """The changes of the draft."""
    title = draft.version.title
    if draft.is_done:
        yield f"The draft already matches {title}."
        return
    if draft.plan.is_empty:
        yield f"The draft matches {title}, but an earlier run ended before it restored the app's stamp."
        return
    numbers = [
        f"{draft.plan.count(action)} {word}"
        for action, word in (
            (Action.CREATE, "created"),
            (Action.UPDATE, "updated"),
            (Action.DELETE, "deleted"),
        )
        if draft.plan.count(action)
    ]
    yield f"draft → {title}: {', '.join(numbers)}; the service saves the draft as a new version first"
    yield f"In the plan of the draft, “the tree” stands for the contents of {title}."


def heading_text(found: GoingBack, settings: Settings, view: View) -> str:
    """The heading above the plans."""
    page: Page = [line(Span(f"Going back: {place_words(found, settings)}", Ink.STRONG))]
    for row in _rows(found):
        page += wrapped(line(f"  {row}"), view.width, 4)
    return paint([*page, BLANK], colour=view.colour)


def question(found: GoingBack, settings: Settings) -> tuple[str, str]:
    """The prompt and the expected answer: `yes`, or the number of deleted resources."""
    edits = [f"  {item.address} {item.undoes}" for plan in found.plans for item in plan.open_reverts]
    rows = [f"{place_words(found, settings)}:", *(f"  {row}" for row in _rows(found))]
    if edits:
        rows += ["This reverts live edits:", *first_rows(edits, _MOST_LISTED, "  … and {:,} more")]
    deletes = sum(plan.count(Action.DELETE) for plan in found.plans)
    what = f"To delete {count(deletes, 'resource')} and go back, type the number of deletes: "
    return "\n".join(["", *rows, what if deletes else "Type `yes` to go back: "]), str(deletes or "yes")


def result_text(found: GoingBack, moved: MoveResult | None, restored: RestoreResult | None, view: View) -> str:
    """The result as text."""
    page: Page = []
    if moved is not None and found.deployment is not None:
        serves = shares_words(moved.serves, found.titles)
        ink = Ink.CREATE if moved.is_verified else Ink.DELETE
        page += wrapped(line(Span(f"{found.deployment.address.key} serves {serves}.", ink)), view.width, 2)
        if moved.error:
            page += wrapped(line(moved.error), view.width, 2)
    if restored is not None and found.draft is not None:
        page += _restored(restored, found.draft.version.title, view)
    return paint(page, colour=view.colour)


def _restored(restored: RestoreResult, title: str, view: View) -> Page:
    names = ", ".join(map(str, restored.remaining[:_MOST_LISTED]))
    text = (
        f"The draft matches {title}: they were compared again."
        if restored.is_proven
        else f"The draft differs from {title} in {count(len(restored.remaining), 'resource')}: {names}"
    )
    page = wrapped(line(Span(text, Ink.CREATE if restored.is_proven else Ink.DELETE)), view.width, 2)
    for item in restored.backups:
        name = item.id if item.title == item.id else f"{item.title} ({item.id})"
        page += wrapped(line(f"The previous draft was saved as the version {name}."), view.width, 2)
    return page


def _rows(found: GoingBack) -> Iterator[str]:
    if found.deployment is not None:
        yield from move_rows(found.deployment, found.titles)
    if found.draft is not None:
        yield from draft_rows(found.draft)
