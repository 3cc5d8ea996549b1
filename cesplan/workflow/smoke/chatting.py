"""A chat: one session with an agent, turn by turn."""

from collections.abc import Mapping, Sequence
from typing import Any

from cesplan.domain.features.smoke import AgentReply, SeenCall
from cesplan.domain.value import Body
from cesplan.features.smoke.directory import Directory
from cesplan.features.smoke.replies import reply_of
from cesplan.features.smoke.requests import new_session_id, session_body, tool_responses_body
from cesplan.remote.client import Client
from cesplan.workflow.smoke.running import ServedVersion, SmokeTarget, served_state, serving

_PURPOSE = "chat"


class Chat:
    """
    One session after another with what a target names.

    `served` is what answered when the chat began; its `problem` says that a deployment serves several versions
    or another than the one asked for.
    """

    def __init__(self, target: SmokeTarget, client: Client) -> None:
        self._target = target
        self._client = client
        self.served: ServedVersion = serving(target, client, needs_agent=True)
        self._directory = Directory(served_state(target, self.served), target.naming)
        self._choice = target.sessions
        self.begin()

    def begin(self) -> None:
        """Go on in a new session."""
        self.session = new_session_id(_PURPOSE)

    def say(self, text: str) -> AgentReply:
        """What the agent answers. Raises what the service answers, LostResponse if it says nothing."""
        return self._answered(session_body(self._choice, text))

    def respond(self, responses: Sequence[tuple[SeenCall, Mapping[str, Any]]]) -> AgentReply:
        """What the agent answers to the responses of the tools that the client was asked to run."""
        return self._answered(tool_responses_body(self._choice, responses))

    def _answered(self, body: Body) -> AgentReply:
        name = f"{self._target.live.app.name}/sessions/{self.session}"
        answer = self._client.run_session(name, body)
        return reply_of(self._target.redact(answer), self._directory)
