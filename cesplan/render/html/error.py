"""A command that ended in an error, as a page: a report that was asked for is there in any case."""

from collections.abc import Sequence

from cesplan.domain.diagnostic import Diagnostic
from cesplan.domain.errors import CesplanError
from cesplan.render.html.page import rendered


def error_html(
    command: str, error: CesplanError, *, environment: str = "", findings: Sequence[Diagnostic] = ()
) -> str:
    """The page of an error; `findings` are what is wrong with a tree."""
    return rendered(
        "error.html.j2",
        command=command,
        environment=environment,
        summary=error.summary,
        detail=error.detail,
        findings=findings,
        exit_code=int(error.exit_code),
    )
