"""`cesplan chat`: talk to an agent and see what it does."""

import sys
from typing import TYPE_CHECKING, Any

from cesplan.cli.commands.app_options import AppChoice, app_options
from cesplan.cli.commands.talk_options import TalkOptions, talk_options
from cesplan.cli.exit_codes import ExitCode
from cesplan.cli.group import define
from cesplan.cli.live_line import wait_line
from cesplan.cli.loading import service_connection
from cesplan.cli.options import TreeChoice, tree_options
from cesplan.cli.session import Session
from cesplan.domain.errors import ApiError, CesplanError, LostResponse, PermissionDenied, Refused
from cesplan.domain.features.smoke import AgentReply, SeenCall
from cesplan.domain.lazily import lazily
from cesplan.domain.text.json_text import decoded

if TYPE_CHECKING:
    from cesplan.workflow.smoke.chatting import Chat
    from cesplan.workflow.smoke.running import SmokeTarget

with lazily():
    from cesplan.features.smoke import text_report
    from cesplan.render.text import errors
    from cesplan.workflow.smoke import chatting, opening


_PROMPT = "> "
_HELP = """\
/new    begin a new session
/quit   leave the chat; Ctrl-D does the same
//…     say something that begins with a slash
"""


@define(
    "chat",
    epilog="""
\b
Examples:
  cesplan chat --fake-tools
  cesplan chat -e prod --deployment web-chat
  echo "Where is order A-1001?" | cesplan chat --agent orders
""",
)
@talk_options
@app_options
@tree_options
def command(session: Session, talk: TalkOptions, app_choice: AppChoice, tree: TreeChoice) -> int:
    """
    Talk to an agent of one app.

    Each line is sent to the agent. The chat shows what the agent does: tool calls with arguments and responses,
    transfers, and answers. `/quit` or Ctrl-D ends the chat, `/new` begins another session, `/help` lists what
    else can be typed. Without a terminal, the lines of stdin are sent one after another, and the first error
    ends the chat.

    A session is billed like any other, and tools really run unless `--fake-tools` is given.
    """
    with (
        service_connection(session) as connection,
        opening.talking(app_choice.target(session, tree, "chat"), connection, seconds=talk.timeout) as app,
    ):
        target = app.chosen(talk.choice())
        chat = chatting.Chat(target, app.client)
        if chat.served.problem and talk.version:
            raise Refused(summary="Nothing was sent.", reasons=(chat.served.problem,))
        _announce(session, chat, target)
        _Conversation(session, chat).run()
    return ExitCode.DONE


def _announce(session: Session, chat: "Chat", target: "SmokeTarget") -> None:
    """Show on stderr which agent answers."""
    settings = target.settings
    place = settings.place.short
    where = f" ({settings.where})" if settings.where else ""
    deployment = target.naming.to_key(target.deployment)
    served = f"deployment {deployment}" if deployment else "the draft"
    served += f", version {chat.served.title}" if chat.served.title else ""
    effects = "fake tools" if target.fakes else "real tools: they have real effects"
    rows = [f"{target.app_key} in {place}{where}: {served}; {effects}"]
    rows += [chat.served.problem] if chat.served.problem else []
    rows += ["/quit ends the chat, /help lists more."] if session.console.can_ask else []
    session.console.notify_escaped("".join(f"{row}\n" for row in rows))


class _Conversation:
    """The loop of a chat."""

    def __init__(self, session: Session, chat: "Chat") -> None:
        self._session = session
        self._console = session.console
        self._chat = chat
        self._prompts = session.console.can_ask
        self._is_over = False
        """True in a pipe after the agent ended the session, until `/new`."""

    def run(self) -> None:
        """Chat until the user quits or the input ends."""
        while (text := self._read_line(_PROMPT)) is not None:
            if not text:
                continue
            if text.startswith("/") and not text.startswith("//"):
                if not self._run_command(text):
                    return
                continue
            if not self._turn(text.removeprefix("/") if text.startswith("//") else text):
                return

    def _read_line(self, prompt: str) -> str | None:
        """A line without surrounding white space, None at the end of input."""
        if self._prompts:
            return self._console.ask(prompt)
        line = sys.stdin.readline() if sys.stdin else ""
        return line.strip() if line else None

    def _run_command(self, order: str) -> bool:
        """Carry out a slash command; False to quit."""
        match order:
            case "/quit" | "/exit":
                return False
            case "/new":
                self._is_over = False
                self._chat.begin()
                self._console.notify("A new session begins.\n")
            case "/help":
                self._console.notify(_HELP)
            case _:
                text = f"`{order}` is not a command; `/{order}` says it to the agent.\n"
                self._console.notify_escaped(text)
        return True

    def _turn(self, text: str) -> bool:
        """Send a line and show what the agent does; False if the chat is over."""
        if self._is_over:
            raise CesplanError(
                summary="Some lines were not sent: the agent has ended the session.",
                detail="To start a new session, add a line `/new`.",
            )
        try:
            reply = self._answer(text)
            self._show(reply)
            while reply.waits and not reply.ends:
                responses = self._responses(reply)
                if responses is None:
                    return False
                with wait_line(self._session, "The agent is working"):
                    reply = self._chat.respond(responses)
                self._show(reply)
        except ApiError as error:
            return self._failed(error)
        if reply.ends:
            self._ended()
        return True

    def _ended(self) -> None:
        """A user can continue in a new session; the lines of a pipe were meant for the session that ended."""
        self._console.notify("The agent has ended the session.\n")
        self._chat.begin()
        self._is_over = not self._prompts

    def _answer(self, text: str) -> AgentReply:
        with wait_line(self._session, "The agent is working"):
            return self._chat.say(text)

    def _failed(self, error: ApiError) -> bool:
        """A user sees the error and can continue; a pipe and a missing permission end the chat."""
        if not self._prompts or isinstance(error, PermissionDenied):
            raise error
        self._console.notify(errors.error_text(error, self._console.err_view))
        if isinstance(error, LostResponse):
            self._console.notify("/new begins a new session.\n")
        return True

    def _responses(self, reply: AgentReply) -> list[tuple[SeenCall, dict[str, Any]]] | None:
        """The tool responses that the user types; None at the end of input."""
        found: list[tuple[SeenCall, dict[str, Any]]] = []
        for call in reply.calls:
            if not call.by_client:
                continue
            self._console.notify_escaped(f"The agent asks its client to run {call.tool.shown}.\n")
            line = self._read_line("Its response, as JSON or text: ")
            if line is None:
                return None
            found.append((call, _response(line)))
        return found

    def _show(self, reply: AgentReply) -> None:
        """Show a reply on stdout: it is the result of the command."""
        self._console.data(text_report.reply_text(reply, self._console.out_view))


def _response(line: str) -> dict[str, Any]:
    """A typed JSON object; any other text becomes the `output` of the tool."""
    try:
        value = decoded(line)
    except ValueError:
        value = line
    return value if isinstance(value, dict) else {"output": value}
