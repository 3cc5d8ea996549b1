"""The words for events that the text and the Markdown report share."""

from cesplan.domain.change import EditKind
from cesplan.domain.text.times import when
from cesplan.domain.text.words import count, listed
from cesplan.features.timeline.values import Event, Happening, Timeline, Touched

SHORT_COMMIT = 12
_EVENTS = {Event.APPLY: "apply", Event.PARTIAL_APPLY: "apply in part", Event.EDIT: "edit"}


def title_of(item: Happening) -> str:
    """`apply 4f2c9e1b03aa`, `apply in part`, or `edit`."""
    commit = f" {item.commit[:SHORT_COMMIT]}" if item.commit else ""
    return f"{_EVENTS[item.event]}{commit}"


def time_of(item: Happening) -> str:
    """When the event ended; for edits over a period, also when they began."""
    last = when(item.last)
    if item.event is Event.EDIT and item.first[:16] != item.last[:16]:
        return f"{when(item.first).removesuffix(' UTC')} – {last}"
    return last


def author_of(item: Happening) -> str:
    return " ".join(item.author.split()) or "unattributed"


def has_trees(timeline: Timeline) -> bool:
    """Whether more than one tree was applied."""
    return len({item.tree for item in timeline.happenings if item.is_apply}) > 1


def facts_of(item: Happening, environment: str, *, names_tree: bool) -> str:
    """The facts about an apply that a heading with this environment does not show; may be empty."""
    is_ours = item.environment == environment
    facts = [] if is_ours or not item.is_apply else [f"environment {item.environment or 'none'}"]
    facts += [f"tree {item.tree}"] if item.tree and names_tree else []
    if item.event is Event.APPLY and not item.commit:
        facts.append("from outside git")
    facts += ["with local changes"] if item.dirty else []
    return " · ".join(facts)


def sign_of(item: Touched) -> str:
    """`+` created, `-` deleted, `~` updated, `±` created and deleted."""
    match EditKind.CREATED in item.edits, EditKind.DELETED in item.edits:
        case True, True:
            return "±"
        case True, False:
            return "+"
        case False, True:
            return "-"
    return "~"


def details_of(item: Touched, *, with_note: bool) -> str:
    """The details of a resource besides its address."""
    parts = [f"{item.times:,} writes"] if item.times > 1 else []
    if item.fields is not None:
        parts.append(", ".join(item.fields) or "no field changed")
    elif with_note and item.note:
        parts.append(" ".join(item.note.split()))
    elif item.display_name and item.display_name != item.address.key:
        parts.append(item.display_name)
    return "; ".join(parts)


def unnamed(item: Happening) -> str:
    """The number of recorded writes that the log does not name; empty if it names all."""
    return f"… and {count(item.unnamed, 'write')} that the log does not name" if item.unnamed else ""


def summary(timeline: Timeline) -> str:
    """The number of events of each kind."""
    shown = timeline.happenings
    if not shown:
        return "No events."
    applies = sum(item.event is Event.APPLY for item in shown)
    parts = sum(item.event is Event.PARTIAL_APPLY for item in shown)
    edits = [item for item in shown if item.event is Event.EDIT]
    words = [count(applies, "complete apply", "complete applies")] if applies else []
    words += [count(parts, "apply in part", "applies in part")] if parts else []
    if edits:
        authors = len({item.author for item in edits})
        number = sum(one.times for item in edits for one in item.touched)
        words.append(f"{count(number, 'live edit')} by {count(authors, 'author')}")
    return f"{listed(words)}."
