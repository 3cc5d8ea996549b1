"""The options of `cesplan evaluate`, and the values they become."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from cesplan.cli.commands import shared_options as shared
from cesplan.cli.options import gathered
from cesplan.domain.features.evaluation import Channel, EvaluationChoice, Method, ToolBehavior
from cesplan.domain.frozen import dataclass
from cesplan.domain.lazily import lazily

if TYPE_CHECKING:
    from cesplan.workflow.evaluation.evaluating import RequestedSettings

with lazily():
    from cesplan.workflow.evaluation import evaluating


_DURATION = re.compile(r"([1-9][0-9]{0,5})([smh])")
_UNITS = {"s": 1, "m": 60, "h": 3600}


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationOptions:
    """What is to be evaluated, and how, as it was typed."""

    datasets: tuple[str, ...]
    tags: tuple[str, ...]
    names: tuple[str, ...]
    everything: bool
    version: str
    channel: str | None
    method: str | None
    tools: str | None
    repeats: int | None
    personas: tuple[tuple[str, int], ...]

    def choice(self) -> EvaluationChoice:
        return EvaluationChoice(
            datasets=self.datasets, tags=self.tags, names=self.names, everything=self.everything
        )

    def settings(self) -> "RequestedSettings":
        return evaluating.RequestedSettings(
            version=self.version or None,
            channel=Channel(self.channel) if self.channel else None,
            method=Method(self.method) if self.method else None,
            tools=ToolBehavior(self.tools) if self.tools else None,
            repeats=self.repeats,
            personas=self.personas or None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a run may cost, and how long to wait for it."""

    max_sessions: int | None
    timeout: float
    auto_approve: bool


_MOST_TASKS = 1000


def _personas(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> tuple[tuple[str, int], ...]:
    return tuple(_persona(text, context, parameter) for text in values)


def _persona(text: str, context: click.Context, parameter: click.Parameter) -> tuple[str, int]:
    name, equals, number = text.rpartition("=")
    if not equals:
        return text, 1
    if not name or not number.isascii() or not number.isdecimal() or not 0 < int(number) <= _MOST_TASKS:
        raise click.BadParameter(f"write NAME=N with N from 1 to {_MOST_TASKS}.", context, parameter)
    return name, int(number)


_OPTIONS = (
    click.option(
        "--dataset",
        "datasets",
        multiple=True,
        metavar="NAME",
        help="Run the evaluations of this dataset, by key or display name. Can be repeated.",
    ),
    click.option(
        "--tag",
        "tags",
        multiple=True,
        metavar="TAG",
        help="Run the evaluations with this tag. Can be repeated.",
    ),
    click.option(
        "--name",
        "names",
        multiple=True,
        metavar="PATTERN",
        help="Run the evaluations with this display name, key, or address; `*` is allowed. Can be repeated.",
    ),
    click.option("--all", "everything", is_flag=True, help="Run all evaluations of the app."),
    click.option(
        "--version",
        "version",
        metavar="VERSION",
        default="",
        help="Evaluate this version, by id or display name.  [default: the draft]",
    ),
    click.option(
        "--channel",
        type=click.Choice([item.value for item in Channel]),
        help="How the simulated user talks to the agent.  [default: text]",
    ),
    click.option(
        "--method",
        type=click.Choice([item.value for item in Method]),
        help="How golden conversations are replayed: every turn after the expected earlier ones, or all "
        "turns in one session.  [default: stable]",
    ),
    click.option(
        "--tools",
        type=click.Choice([item.value for item in ToolBehavior]),
        help="Whether tools really run or answer with their fakes. Real tools have real effects.  "
        "[default: real]",
    ),
    click.option(
        "--repeats",
        type=click.IntRange(1, 1000),
        metavar="N",
        help="Run each evaluation this many times.  [default: 1]",
    ),
    click.option(
        "--persona",
        "personas",
        multiple=True,
        metavar="NAME[=N]",
        callback=_personas,
        help="Let this persona of the app play each scenario N times (once by default), whatever --repeats is. "
        "Can be repeated.",
    ),
)


def _duration(context: click.Context, parameter: click.Parameter, value: str) -> float:
    found = _DURATION.fullmatch(value)
    if not found:
        raise click.BadParameter("write a number with s, m, or h, such as 90s or 2h.", context, parameter)
    return float(int(found[1]) * _UNITS[found[2]])


_LIMITS = (
    shared.max_sessions(help="Refuse to start a run that is expected to take more sessions."),
    click.option(
        "--timeout",
        metavar="DURATION",
        default="1h",
        show_default=True,
        callback=_duration,
        help="Stop waiting after this time. The run continues; the result is inconclusive.",
    ),
    shared.auto_approve(help="Start without a prompt. Required if there is no terminal."),
)


def evaluate_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """What to evaluate and how, as `options`, and what it may cost, as `limits`."""
    limited = gathered(function, _LIMITS, "limits", Limits)
    return gathered(limited, _OPTIONS, "options", EvaluationOptions)
