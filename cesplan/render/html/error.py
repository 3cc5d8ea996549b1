"""The page of a command that ended in an error: a requested report is always written."""

from collections.abc import Sequence

from cesplan.domain.diagnostic import Diagnostic
from cesplan.domain.errors import CesplanError, Refused
from cesplan.render.html.heading import Heading, Looks
from cesplan.render.html.page import rendered


def error_html(
    command: str, error: CesplanError, *, environment: str = "", findings: Sequence[Diagnostic] = ()
) -> str:
    """The page of an error; `findings` are the problems in a tree."""
    return rendered(
        "error.html.j2",
        heading=Heading(
            title=f"cesplan {command}", environment=environment, verdict=error.summary, looks=Looks.BAD
        ),
        reasons=error.reasons if isinstance(error, Refused) else (),
        detail=error.detail,
        findings=findings,
        exit_code=int(error.exit_code),
    )
