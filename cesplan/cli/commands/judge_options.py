"""The options for judges, and the prompt before they cost money."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from cesplan.cli.commands import shared_options as shared
from cesplan.cli.confirming import agree
from cesplan.cli.options import gathered
from cesplan.cli.session import Session
from cesplan.domain.errors import Refused, UsageError
from cesplan.domain.frozen import dataclass
from cesplan.domain.lazily import lazily
from cesplan.domain.resource_name import Place
from cesplan.domain.service.endpoint import parse_endpoint

if TYPE_CHECKING:
    from cesplan.domain.features.judges import Judge, JudgeLimits

with lazily():
    from cesplan.domain.features import judges
    from cesplan.workflow.scores import judging


_MOST_CALLS = 1_000
_PER_MINUTE = 240


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeChoice:
    """Whether and where to ask judges, and with how many requests at most."""

    judge: bool
    project: str
    location: str
    endpoint: str
    max_calls: int
    per_minute: int

    @property
    def limits(self) -> "JudgeLimits":
        return judges.JudgeLimits(calls=self.max_calls)

    @contextmanager
    def connected(self, session: Session, emulator: str, project: str = "") -> Iterator["Judge"]:
        """
        The judges to ask; `project` is the default. Raises UsageError if no project is known, and what a
        connection raises.
        """
        if not (self.project or project):
            raise UsageError(
                summary="The project of the judges is unknown.",
                detail="Name it with --judge-project, or set GOOGLE_CLOUD_PROJECT.",
            )
        place = Place(project=self.project or project, location=self.location)
        connection = session.connection(emulator, also_confirmed=self.endpoint)
        with judging.judge_of(place, connection, endpoint=self.endpoint, per_minute=self.per_minute) as judge:
            yield judge

    def check(self, expected: int) -> None:
        """Raise Refused if more requests are expected than allowed."""
        if expected > self.max_calls:
            raise Refused(
                summary="No judge was asked: too many requests are expected.",
                reasons=(f"At least {expected:,} are expected, and --max-judge-calls is {self.max_calls:,}.",),
            )


def confirm_calls(session: Session, expected: int, *, is_approved: bool) -> None:
    """Ask a person before judges cost money. Raises Declined."""
    if is_approved or not expected:
        return
    question = f"\nSend at least {expected:,} requests to judges? Type `yes` to send: "
    agree(session.console, question, otherwise="No judge was asked", verb="send")


_OPTIONS = (
    click.option(
        "--judge",
        is_flag=True,
        help="Ask judges on Vertex AI for the criteria that only a model can decide. This costs money and "
        "sends the conversations to the service.",
    ),
    shared.judge_project(
        envvar="GOOGLE_CLOUD_PROJECT",
        help="The project in which judges run, and which is billed. [default: GOOGLE_CLOUD_PROJECT]",
    ),
    shared.judge_location,
    click.option(
        "--judge-endpoint",
        metavar="URL",
        default="",
        help="Ask this address instead of Google's. It receives your access token.",
    ),
    click.option(
        "--max-judge-calls",
        type=click.IntRange(min=1),
        metavar="N",
        default=_MOST_CALLS,
        show_default=True,
        help="Send at most this many requests to judges, including retries; none if more are expected.",
    ),
    click.option(
        "--judge-rate",
        type=click.IntRange(min=1),
        metavar="N",
        default=_PER_MINUTE,
        show_default=True,
        help="The most requests to judges per minute.",
    ),
)


def judge_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Who judges, as `judges`."""
    return gathered(function, _OPTIONS, "judges", _choice)


def _choice(
    *,
    judge: bool,
    judge_project: str,
    judge_location: str,
    judge_endpoint: str,
    max_judge_calls: int,
    judge_rate: int,
) -> JudgeChoice:
    return JudgeChoice(
        judge=judge,
        project=judge_project,
        location=judge_location,
        endpoint=_endpoint(judge_endpoint),
        max_calls=max_judge_calls,
        per_minute=judge_rate,
    )


def _endpoint(text: str) -> str:
    """In canonical form, so that it can be compared with the confirmed endpoints."""
    if not text:
        return ""
    try:
        return str(parse_endpoint(text))
    except ValueError as error:
        raise click.BadParameter(f"{error}.", param_hint="--judge-endpoint") from error
