"""
Running the steps of a smoke test: one after another, each once, within limits.

Steps with `say` share a session unless one starts another. A step without an answer is inconclusive, and so are
the following steps of its session.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any, Protocol, assert_never

from cesplan.domain.errors import (
    ApiError,
    CesplanError,
    InvalidRequest,
    NotFound,
    PermissionDenied,
)
from cesplan.domain.features.evaluation import Problem
from cesplan.domain.features.release import SayStep, SmokeStep, ToolsetStep, ToolStep
from cesplan.domain.features.smoke import AgentReply, StepReport, Who
from cesplan.domain.frozen import dataclass
from cesplan.domain.naming import Naming
from cesplan.domain.value import Body, as_object
from cesplan.features.smoke.directory import Directory
from cesplan.features.smoke.replies import reply_of
from cesplan.features.smoke.requests import SessionChoice, new_session_id, session_body, tool_body
from cesplan.features.smoke.verdict import reply_problems, response_problems, tool_problems, unclear

PURPOSE = "smoke"
"""The prefix of session ids."""


class Talker(Protocol):
    """A client that talks to agents and tools. Each method sends one request."""

    def run_session(self, session_name: str, body: Body) -> Body: ...

    def execute_tool(self, app_name: str, body: Body) -> Body: ...

    def retrieve_tools(self, toolset_name: str, tool_ids: Sequence[str]) -> tuple[Body, ...]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SmokeLimits:
    """The limits of a smoke test: new sessions, and seconds after which no further step begins."""

    sessions: int = 20
    seconds: float = 600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SmokeContext:
    """
    The target of the steps. `app` is a full name; `directory` knows the names of its agents and tools.

    `unlike` returns why the tool or toolset with a full name, as it can be executed, differs from that of the
    version; empty if it does not. `redact` removes secrets from reported values.
    """

    app: str
    naming: Naming
    directory: Directory
    choice: SessionChoice
    unlike: Callable[[str], str]
    redact: Callable[[Any], Any]


@dataclass(kw_only=True)
class _Session:
    """The session of the steps: the agent in charge, and the reason why it cannot continue, if any."""

    id: str = ""
    holder: Who | None = None
    over: Problem | None = None


@dataclass(kw_only=True)
class StepRunner:
    """Runs steps; `sessions` is the number of sessions started."""

    stage: SmokeContext
    talker: Talker
    limits: SmokeLimits
    monotonic: Callable[[], float]
    sessions: int = 0
    _current: _Session = field(default_factory=_Session)

    def run(
        self, steps: Sequence[SmokeStep], on_step: Callable[[int, SmokeStep], None]
    ) -> tuple[StepReport, ...]:
        """
        Run every step once. `on_step` receives each before it runs.

        Raises NotAuthenticated, PermissionDenied, and Interrupted; other errors of the service belong to the
        step.
        """
        begun = self.monotonic()
        reports = []
        for number, step in enumerate(steps, 1):
            if self.monotonic() - begun >= self.limits.seconds:
                why = f"Not run: the limit of {self.limits.seconds:g} s is reached."
                reports.append(StepReport(number=number, step=step, problems=(unclear(why),)))
                continue
            on_step(number, step)
            reports.append(self._step(number, step))
        return tuple(reports)

    def _step(self, number: int, step: SmokeStep) -> StepReport:
        match step:
            case SayStep():
                return self._say(number, step)
            case ToolStep():
                return self._execute(number, step)
            case ToolsetStep():
                return self._retrieve(number, step)
            case _:
                assert_never(step)

    def _say(self, number: int, step: SayStep) -> StepReport:
        if step.starts_session or not self._current.id:
            if self.sessions >= self.limits.sessions:
                why = f"Not run: the limit of {self.limits.sessions:,} sessions is reached."
                self._current = _Session(id="none", over=unclear(why))
            else:
                self.sessions += 1
                self._current = _Session(id=new_session_id(PURPOSE), holder=self._opening())
        session = self._current
        if session.over is not None:
            return StepReport(number=number, step=step, problems=(session.over,))
        body = session_body(self.stage.choice, step.say, step.variables)
        started = self.monotonic()
        try:
            answer = self.talker.run_session(f"{self.stage.app}/sessions/{session.id}", body)
        except CesplanError as error:
            session.over = unclear("Not run: an earlier step of the session had no answer.")
            return StepReport(number=number, step=step, problems=(_failure(error),), session=session.id)
        reply = reply_of(self.stage.redact(answer), self.stage.directory)
        agent = self._moved(session, reply)
        session.over = _after(reply)
        return StepReport(
            number=number,
            step=step,
            problems=reply_problems(step.expect, reply, agent),
            reply=reply,
            agent=agent.shown if agent else "",
            session=session.id,
            seconds=self.monotonic() - started,
        )

    def _opening(self) -> Who | None:
        choice = self.stage.choice
        directory = self.stage.directory
        return directory.agent(choice.entry_agent) if choice.entry_agent else directory.root

    def _moved(self, session: _Session, reply: AgentReply) -> Who | None:
        """The agent that answered last. Records which agent has the session from now on."""
        if not reply.has_diagnostics:
            session.holder = None
            return None
        last = reply.transfers[-1] if reply.transfers else None
        answered = reply.speaker or last or session.holder
        session.holder = last or reply.speaker or session.holder
        return answered

    def _execute(self, number: int, step: ToolStep) -> StepReport:
        body = tool_body(step, self.stage.naming)
        if why := self.stage.unlike(body["tool"]):
            return StepReport(number=number, step=step, problems=(unclear(why),))
        started = self.monotonic()
        try:
            answer = self.talker.execute_tool(self.stage.app, body)
        except CesplanError as error:
            return StepReport(number=number, step=step, problems=(_failure(error),))
        found = self.stage.redact(answer).get("response")
        response: Mapping[str, Any] = as_object(found)
        return StepReport(
            number=number,
            step=step,
            problems=response_problems(step, response),
            response=response,
            seconds=self.monotonic() - started,
        )

    def _retrieve(self, number: int, step: ToolsetStep) -> StepReport:
        name = self.stage.naming.to_name(f"toolsets/{step.toolset}")
        if why := self.stage.unlike(name):
            return StepReport(number=number, step=step, problems=(unclear(why),))
        started = self.monotonic()
        try:
            tools = self._tools(name, step.tool_ids)
        except CesplanError as error:
            return StepReport(number=number, step=step, problems=(_failure(error),))
        problems = tool_problems(step, tools)
        return StepReport(number=number, step=step, problems=problems, seconds=self.monotonic() - started)

    def _tools(self, name: str, names: Sequence[str]) -> tuple[Body, ...]:
        """The requested tools; all tools if the service refuses an unknown id."""
        try:
            return self.talker.retrieve_tools(name, names)
        except (InvalidRequest, NotFound):
            return self.talker.retrieve_tools(name, ())


def _after(reply: AgentReply) -> Problem | None:
    """Why the session cannot continue after a reply; None if it can."""
    if reply.ends:
        return Problem(text="Not run: the agent has ended the session.")
    if reply.waits:
        return unclear("Not run: the agent waits for its client.")
    return None


def _failure(error: CesplanError) -> Problem:
    """An error as a problem of the step. Raises the error if it would affect every further step."""
    if not isinstance(error, ApiError) or isinstance(error, PermissionDenied):
        raise error
    return unclear(f"No answer: {error.summary}.")
