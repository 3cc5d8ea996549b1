"""`--notify`, `--notify-format`, `--state`, and `--metrics-file`, as one value."""

import os
from collections.abc import Callable
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cesplan.cli.options import gathered
from cesplan.cli.reports import Reports, writable
from cesplan.domain.frozen import dataclass
from cesplan.domain.lazily import lazily

if TYPE_CHECKING:
    from cesplan.workflow.drift.alarm import Alarm

with lazily():
    from cesplan.features.drift.alarm import messages
    from cesplan.workflow.drift import alarm as drift_alarm


NOTIFY = "CESPLAN_NOTIFY"
"""In the environment: webhook URLs, separated by white space, for command lines that others can read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AlarmChoice:
    """What to do with a report besides showing it."""

    urls: tuple[str, ...] = field(default=(), repr=False)
    form: str = ""
    state: str = ""
    metrics: Path | None = None

    def check(self, reports: Reports) -> None:
        """Raise UsageError for options that cannot be combined, before anything is read."""
        if self.urls and not self.state:
            raise click.UsageError(
                f"--notify needs --state FILE or gs://BUCKET/OBJECT, and so does {NOTIFY}: the state remembers "
                "what was announced, so that each change is posted once."
            )
        for option, value in (("--state", self.state), ("--notify-format", self.form)):
            if value and not self.urls:
                raise click.UsageError(f"{option} has no effect without --notify or {NOTIFY}.")
        for path in filter(None, (self.metrics, Path(self.state) if self.state else None)):
            reports.check_apart(path)
        if alarm := self.alarm():
            drift_alarm.check_alarm(alarm, os.environ)

    def alarm(self) -> "Alarm | None":
        """The alarm; None without a receiver."""
        if not self.urls:
            return None
        return drift_alarm.Alarm(
            urls=self.urls,
            form=messages.NotifyFormat(self.form or messages.NotifyFormat.AUTO),
            state=self.state,
        )


def alarm_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options of the alarm; the command receives them as `alarm`."""
    return gathered(function, _OPTIONS, "alarm", _choice)


def _choice(
    notify: tuple[str, ...], notify_format: str | None, state: str | None, metrics_file: Path | None
) -> AlarmChoice:
    urls = notify or tuple(os.environ.get(NOTIFY, "").split())
    return AlarmChoice(urls=urls, form=notify_format or "", state=state or "", metrics=metrics_file)


def _state(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """A file as an absolute path, an object unchanged."""
    return str(Path(value).absolute()) if value and "://" not in value else value


def _metrics(context: click.Context, parameter: click.Parameter, value: str | None) -> Path | None:
    """Refuse a file that cannot be written, before anything is read."""
    return writable(value, context, parameter) if value else None


_OPTIONS = (
    click.option(
        "--notify",
        multiple=True,
        metavar="URL",
        help="Post to this webhook when drift appears, changes, or is gone, once each. Can be repeated. Set "
        f"{NOTIFY} instead to keep the URL out of the list of processes.",
    ),
    click.option(
        "--notify-format",
        type=click.Choice(["auto", "json", "slack", "google-chat"]),
        help="Format of the messages.  [default: auto, by the host of the webhook]",
    ),
    click.option(
        "--state",
        metavar="FILE|gs://BUCKET/OBJECT",
        callback=_state,
        help="Where --notify records what it announced.",
    ),
    click.option(
        "--metrics-file",
        metavar="FILE",
        callback=_metrics,
        help="Write the numbers of the report in the Prometheus text format, for a textfile collector.",
    ),
)
