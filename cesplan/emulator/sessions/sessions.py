"""`:runSession` and `:streamRunSession`: each request is a turn, and each session leaves a conversation."""

from dataclasses import dataclass, field

from cesplan.emulator.errors import Refused, invalid
from cesplan.emulator.http.calls import Call
from cesplan.emulator.http.encoding import encode
from cesplan.emulator.resources.core import Core, Methods
from cesplan.emulator.resources.writer import KEPT_BYTES
from cesplan.emulator.schema.messages import Body
from cesplan.emulator.sessions.script import Moment, SessionScript, Step
from cesplan.emulator.sessions.served import Served, names_in, of_version, served
from cesplan.emulator.sessions.turns import Turn, pending_ids
from cesplan.emulator.storage.store import Row

_NO_SCRIPT = (
    "The emulator has no language model, and no script of sessions was provided (PUT /emulator/sessions)."
)
_NO_AUDIO = "text sessions do not accept audio, which needs bidirectional streaming"
_INPUT_TYPES = {
    "text": "INPUT_TYPE_TEXT",
    "dtmf": "INPUT_TYPE_TEXT",
    "event": "INPUT_TYPE_EVENT",
    "image": "INPUT_TYPE_IMAGE",
    "blob": "INPUT_TYPE_BLOB",
    "toolResponses": "INPUT_TYPE_TOOL_RESPONSE",
    "variables": "INPUT_TYPE_VARIABLES",
}


@dataclass(kw_only=True)
class _Open:
    """The state of a session besides its conversation; lost when the server stops."""

    waiting: list[Step] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)
    ended: bool = False


class Sessions(Methods):
    """Runs sessions with a script."""

    def __init__(self, core: Core) -> None:
        super().__init__(core)
        self.script = SessionScript()
        self._open: dict[str, _Open] = {}

    def run(self, call: Call) -> str:
        """Return all outputs of a turn at once."""
        outputs = self._turn(call)[1]
        return self._encoded({"outputs": outputs} if outputs else {}, call)

    def stream(self, call: Call) -> str:
        """Return a JSON array with a response for each output, as the API streams over REST."""
        request, outputs = self._turn(call)
        if request["config"].get("enableTextStreaming"):
            outputs = [part for output in outputs for part in _in_parts(output)]
        return f"[{','.join(self._encoded({'outputs': [output]}, call) for output in outputs)}]"

    def forget(self) -> None:
        """Forget all sessions."""
        self._open.clear()

    def _encoded(self, answer: Body, call: Call) -> str:
        stored = self._core.checker.learn("RunSessionResponse", answer)
        return encode(self._core.answers.message("RunSessionResponse", stored, call.form))

    def _turn(self, call: Call) -> tuple[Body, list[Body]]:
        """Run one turn, and return the request and the outputs."""
        app = self._core.lookup.resource(call.target.app)
        request = self._core.request_body(call)
        config, inputs = request["config"], request["inputs"]
        _refuse_audio(config, inputs)
        session = call.target.name.rpartition("/")[2]
        name = f"{app.name}/conversations/{session}"
        talk = self._core.store.get(name)
        on = self._runs_on(config, app, session, talk)
        known = self._open.get(name, _Open())
        if known.ended:
            raise Refused("FAILED_PRECONDITION", f"The session '{session}' has ended.")
        turn = self._new_turn(config, on, talk)
        steps = self._steps(inputs, turn, known)
        turn.receive(inputs)
        waiting = turn.play(steps)
        pending = pending_ids(turn.outputs)
        self._keep(name, config, on, talk, turn, inputs)
        self._open[name] = _Open(waiting=waiting, asked=pending, ended=turn.ended)
        diagnostics = not config.get("excludeDiagnosticInfo", False)
        return request, turn.finished(diagnostics=diagnostics, waits=bool(pending))

    def _runs_on(self, config: Body, app: Row, session: str, talk: Row | None) -> Served:
        """Return the app of a session. A running session keeps its version, unless a switch lets it change."""
        found = served(self._core, config, app, session)
        if talk is None or self._core.switches.session_version == "moves":
            return found
        version = self._core.store.get(talk.body.get("appVersion", ""))
        return of_version(self._core, app, version, found.deployment)

    def _new_turn(self, config: Body, on: Served, talk: Row | None) -> Turn:
        now = self._core.clock.now
        return Turn(
            app=on,
            index=(talk.body.get("turnCount", 0) if talk else 0) + 1,
            fakes=config.get("useToolFakes", False),
            now=now,
            agent=self._agent(config, on, talk),
            started=now(),
        )

    def _agent(self, config: Body, on: Served, talk: Row | None) -> Body | None:
        """
        Return the active agent: the target of the last transfer, or else the entry agent or the root agent.
        """
        last = _last_transfer(talk.body if talk else {})
        name = last or self._core.lookup.canonical(config.get("entryAgent", ""), on.app["name"])
        agent = on.agent(name or on.app.get("rootAgent", ""))
        if agent is None and name and not last:
            raise invalid("config.entryAgent", f"'{name}' does not exist")
        if agent is None and not last:
            raise Refused("FAILED_PRECONDITION", "The app has no root agent, and no entry agent is given.")
        return agent

    def _steps(self, inputs: list[Body], turn: Turn, known: _Open) -> list[Step]:
        """Return the next steps. Raise Refused if the script has none."""
        answered = [
            response["id"]
            for given in inputs
            for response in given.get("toolResponses", {}).get("toolResponses", [])
            if "id" in response
        ]
        if known.asked or answered:
            if set(answered) != known.asked:
                raise invalid("inputs.toolResponses", "the ids do not match the pending calls")
            return known.waiting
        if all(given.keys() <= {"variables", "willContinue"} for given in inputs):
            return []
        if not self.script.entries:
            raise Refused("UNIMPLEMENTED", _NO_SCRIPT)
        entry = self.script.entry_of(_moment(inputs, turn))
        if entry is None:
            raise Refused("UNIMPLEMENTED", "The script of sessions says nothing about this input.")
        return list(entry.steps)

    def _keep(
        self, name: str, config: Body, on: Served, talk: Row | None, turn: Turn, inputs: list[Body]
    ) -> None:
        """Store the conversation with the new turn."""
        now = self._core.clock.now()
        body = talk.body if talk else self._new(config, on, turn)
        body |= {"appVersion": on.version.name} if on.version else {}
        kinds = {_INPUT_TYPES[key] for given in inputs for key in given if key in _INPUT_TYPES}
        body["inputTypes"] = sorted({*body.get("inputTypes", []), *kinds})
        body["turns"] = [*body.get("turns", []), turn.written()]
        body["turnCount"] = len(body["turns"])
        body |= {"endTime": now} if turn.ended else {}
        stored = self._core.checker.learn("Conversation", body)
        row = self._core.writer.touch(talk, stored) if talk else self._core.writer.add(name, stored)
        self._core.store.trim(row.parent, "conversations", added=len(row.text), most=0, most_bytes=KEPT_BYTES)

    def _new(self, config: Body, on: Served, turn: Turn) -> Body:
        """Return the conversation of a new session. Its source is the emulator's own choice."""
        language = on.app.get("languageSettings", {}).get("defaultLanguageCode", "")
        return {
            "startTime": turn.started,
            "channelType": "TEXT",
            "source": "LIVE" if on.deployment else "SIMULATOR",
            **({"entryAgent": config["entryAgent"]} if "entryAgent" in config else {}),
            **({"deployment": on.deployment.name} if on.deployment else {}),
            **({"languageCode": language} if language else {}),
        }


def _moment(inputs: list[Body], turn: Turn) -> Moment:
    texts = [given.get("text", given.get("dtmf")) for given in inputs]
    known = [text for text in texts if text is not None]
    event = next((given["event"].get("event", "") for given in inputs if "event" in given), None)
    return Moment(
        text="\n".join(known) if known else None,
        event=event,
        agent=names_in(turn.agent) if turn.agent else (),
        version=turn.app.version_names,
        deployment=turn.app.deployment_names,
        fakes=turn.fakes,
    )


def _last_transfer(talk: Body) -> str:
    for turn in reversed(talk.get("turns", [])):
        for message in reversed(turn.get("messages", [])):
            for chunk in reversed(message.get("chunks", [])):
                if "agentTransfer" in chunk:
                    return str(chunk["agentTransfer"]["targetAgent"])
    return ""


def _refuse_audio(config: Body, inputs: list[Body]) -> None:
    for field_name in ("inputAudioConfig", "outputAudioConfig"):
        if field_name in config:
            raise invalid(f"config.{field_name}", _NO_AUDIO)
    if any("audio" in given for given in inputs):
        raise invalid("inputs.audio", _NO_AUDIO)
    if any(not given.keys() - {"willContinue", "recordingControl"} for given in inputs):
        raise invalid("inputs", "an input without a value")


def _in_parts(output: Body) -> list[Body]:
    """Split an output so that its text is sent word by word. The last part has everything else."""
    words = output.get("text", "").split(" ")
    if len(words) < 2:
        return [output]
    parts: list[Body] = [{"text": f"{word} ", "turnIndex": output["turnIndex"]} for word in words[:-1]]
    return [*parts, output | {"text": words[-1]}]
