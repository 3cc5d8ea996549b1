"""What `smoke` and `chat` talk to: `--deployment`, `--version`, `--agent`, `--fake-tools`, and `--timeout`."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from cesplan.cli.options import gathered
from cesplan.domain.frozen import dataclass
from cesplan.domain.lazily import lazily

if TYPE_CHECKING:
    from cesplan.workflow.smoke.opening import TalkChoice

with lazily():
    from cesplan.workflow.smoke import opening


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkOptions:
    """Who answers, as it was typed, and how many seconds to wait for an answer."""

    deployment: str
    version: str
    agent: str
    fake_tools: bool
    timeout: int

    def choice(self) -> "TalkChoice":
        return opening.TalkChoice(
            deployment=self.deployment, version=self.version, agent=self.agent, fakes=self.fake_tools
        )


_OPTIONS = (
    click.option(
        "--deployment",
        metavar="DEPLOYMENT",
        default="",
        help="The deployment that answers, by key, id, or display name.  [default: the draft]",
    ),
    click.option(
        "--version",
        metavar="VERSION",
        default="",
        help="The version that the deployment must serve, by key, id, or display name.  [default: any]",
    ),
    click.option(
        "--agent",
        metavar="AGENT",
        default="",
        help="The agent that starts the conversation. [default: the root agent]",
    ),
    click.option(
        "--fake-tools",
        is_flag=True,
        help="Use the fakes of tools. Without this, tools really run and have real effects.",
    ),
    click.option(
        "--timeout",
        type=click.IntRange(1, 600),
        default=60,
        show_default=True,
        metavar="SECONDS",
        help="Wait this long for an answer.",
    ),
)


def talk_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options; the command receives them as `talk`."""
    return gathered(function, _OPTIONS, "talk", TalkOptions)
