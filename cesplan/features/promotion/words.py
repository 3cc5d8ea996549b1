"""Words that every report of a promotion uses."""

from cesplan.domain.features.promotion import Difference, Promotion, WhichSide
from cesplan.domain.settings import Settings
from cesplan.domain.text.words import count


def place(settings: Settings) -> str:
    """`prod acme-prod/us`."""
    return " ".join(settings.heading)


def name(settings: Settings) -> str:
    """The name of a side: its environment, or else its project."""
    return settings.environment or settings.place.project


def compared(promotion: Promotion) -> str:
    """What is compared."""
    return "live" if promotion.is_live else "according to the tree"


def presence(item: Difference, promotion: Promotion) -> str:
    """Where a resource is, if it is not in both."""
    match item.presence:
        case WhichSide.SOURCE:
            return f"only in {name(promotion.source)}"
        case WhichSide.TARGET:
            return f"only in {name(promotion.target)}"
    return ""


def summary(promotion: Promotion) -> tuple[str, str]:
    """The verdict and its numbers: `dev and prod`, `3 resources differ; 57 equal.`"""
    number = len(promotion.differences)
    one, other = name(promotion.source), name(promotion.target)
    names = f"{one} and {other}"
    if not number and not promotion.equal:
        return "Nothing to compare", f"no app of the tree is live in {one} or {other}."
    if not number:
        return f"{names} are equal", f"{count(promotion.equal, 'resource')} compared."
    return names, f"{count(number, 'resource')} differ; {promotion.equal:,} equal."
