"""Protection: patterns under `protect` that cannot match anything, which are probably typos."""

from collections.abc import Collection

from cesplan.config.project.project import Project
from cesplan.config.report import Report
from cesplan.config.suggestions import nearest
from cesplan.domain.choice import compiled
from cesplan.model.kinds import KINDS

_APP = "app"
"""Other names for the app itself in patterns, besides its key (domain.choice)."""


def check_protect(project: Project, apps: Collection[str], report: Report) -> None:
    """
    Warn about patterns whose app or kind does not exist. `apps` are the keys of the tree.

    A key that is not in the tree is fine, because protection outlives the file.
    """
    homes = [*apps, f"@{project.settings.place.location}"]
    for pattern, spot in project.protect.items():
        parts = pattern.rstrip("/").split("/")
        if not _can_mean(parts, homes):
            report.add(
                "CES104",
                f"`{pattern}` protects nothing",
                spot,
                detail="A pattern is <app>, <app>/<kind>/<key>, <kind>/<key> or <kind>; `*` matches any text.",
                suggestion=_nearest(parts, homes),
            )


def _can_mean(parts: list[str], homes: Collection[str]) -> bool:
    match parts:
        case [one]:
            return _fits(one, (_APP, *homes, *KINDS))
        case [first, second]:
            return _fits(first, KINDS) or (_fits(first, homes) and _fits(second, (_APP, *KINDS)))
        case [first, second, _]:
            return _fits(first, homes) and _fits(second, KINDS)
    return False


def _fits(part: str, words: Collection[str]) -> bool:
    expression = compiled(part)
    return any(expression.fullmatch(word) for word in words)


def _nearest(parts: list[str], homes: Collection[str]) -> str:
    """The pattern with each unknown word replaced by the nearest known one."""
    known = [homes, KINDS] if len(parts) == 3 else [(*homes, *KINDS)] * len(parts)
    words = [
        part if _fits(part, place) else nearest(part, place) for part, place in zip(parts, known, strict=False)
    ]
    found = [*words, *parts[len(words) :]] if all(words) else []
    return "/".join(found) if found != parts and _can_mean(found, homes) else ""
