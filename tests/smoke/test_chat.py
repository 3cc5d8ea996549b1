"""`cesplan chat`: a person, or a pipe, talks to an agent."""

import os
import pty
import select
import signal
import subprocess
import sys
import time

import pytest

from tests.smoke.conftest import APP


def test_lines_of_a_pipe_are_said_one_after_another(desk):
    """In one session; calls, responses, transfers and texts are shown."""
    ran = desk.typed("chat", "--deployment", "web-chat", heard="where is it\n\nbye")
    assert ran.code == 0
    assert ran.out == (
        '  → lookup-order {"order": 7}\n'
        '  ← {"state": "sent", "pin": "(secret pin)"}\n'
        "  ⇒ orders\n"
        "orders: Order 7 is on\n"
        "  its way.\n"
        "orders: Bye.\n"
        "  ■ the session has ended\n"
    )
    assert "help-desk in acme-dev/us (EMULATOR): deployment web-chat, version First; real tools" in ran.err
    (talk,) = desk.talks
    assert (talk["turnCount"], talk["appVersion"]) == (2, f"{APP}/versions/version-one")


def test_commands_begin_with_a_slash(desk):
    """A new session, an unknown command, a text with a slash, the end."""
    desk.emulator.converse({"steps": [{"say": "ok"}]})
    ran = desk.typed("chat", heard="hi\n/new\nhi\n/shout\n//shout\n/quit\nhi\n")
    assert (ran.code, ran.out.count("ok")) == (0, 3)
    said = [talk["turns"][-1]["messages"][0]["chunks"][0]["text"] for talk in desk.talks]
    assert said == ["hi", "/shout"]
    assert "`/shout` is not a command; `//shout` says it to the agent." in ran.err


def test_a_pipe_goes_on_in_a_new_session_after_the_agent_ended_one(desk):
    """As the error says that it gives otherwise: with a line `/new`."""
    ran = desk.typed("chat", heard="bye\n/new\nbye\n")
    assert (ran.code, ran.out.count("Bye.")) == (0, 2)
    assert [talk["turnCount"] for talk in desk.talks] == [1, 1]


def test_what_an_agent_says_is_made_visible(desk):
    """No cursor moves, no title is set, no text is reordered, no log is commanded."""
    ran = desk.typed("chat", heard="evil\n")
    assert not {"\x1b", "\x07", "\u202e"} & set(ran.out)
    assert "\\u001b[2J" in ran.out
    assert not any(line.lstrip().startswith("::") for line in ran.out.splitlines())


def test_secrets_are_taken_out(desk):
    """Of what the agent says and of errors; the fixture looks for the secret everywhere."""
    assert "(secret pin)" in desk.typed("chat", heard="secret\n").out
    assert "(secret)" in desk.typed("chat", heard="down\n").err


def test_the_client_runs_a_tool(desk):
    """Its response is typed: an object, or a text that becomes the output."""
    ran = desk.typed("chat", heard='paint\n{"color": "red"}\n/new\npaint\nred\n')
    assert (ran.code, ran.out.count("Thanks.")) == (0, 2)
    assert "The agent asks its client to run lookup-order." in ran.err
    given = [
        chunk["toolResponse"]["response"]
        for talk in desk.talks
        for message in talk["turns"][1]["messages"]
        for chunk in message["chunks"]
        if "toolResponse" in chunk
    ]
    assert given == [{"color": "red"}, {"output": "red"}]
    assert desk.typed("chat", heard="paint\n").code == 0


def test_an_agent_starts_and_fakes_answer(desk):
    steps = [{"call": {"tool": "lookup-order", "response": {"a": 1}, "fake": {"a": 2}}}, {"say": "ok"}]
    desk.emulator.converse({"agent": "orders", "steps": steps})
    ran = desk.typed("chat", "--agent", "orders", "--fake-tools", heard="hi\n")
    assert '← {"a": 2}' in ran.out
    assert "fake tools" in ran.err


@pytest.mark.parametrize(
    ("words", "heard", "code", "said"),
    [
        (("--deployment", "nope"), "hi\n", 64, "no deployment `nope`"),
        (("--deployment", "web-chat", "--version", "v1"), "bye\nhi\n", 1, "Some lines were not sent"),
        ((), "bye\n\n/help\n/quit\nhi\n", 0, "The agent has ended the session."),
        ((), "unheard of\n", 1, "says nothing about this input"),
        ((), "", 0, ""),
    ],
)
def test_how_a_chat_of_a_pipe_ends(desk, words, heard, code, said):
    """An error ends it; the end of the input is the end."""
    ran = desk.typed("chat", *words, heard=heard)
    assert ran.code == code
    assert said in ran.err
    assert "Traceback" not in ran.err


class Terminal:
    """The command in a terminal of its own."""

    def __init__(self, *words):
        self._ours, theirs = pty.openpty()
        env = {**os.environ, "TERM": "xterm", "NO_COLOR": "1", "COLUMNS": "100"}
        command = [sys.executable, "-m", "cesplan", "chat", *words]
        self.process = subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, env=env, start_new_session=True
        )
        os.close(theirs)
        self.seen = ""

    def until(self, text, seconds=20):
        """Read until something is seen."""
        deadline = time.monotonic() + seconds
        while text not in self.seen and time.monotonic() < deadline:
            if select.select([self._ours], [], [], 0.2)[0]:
                try:
                    self.seen += os.read(self._ours, 65536).decode(errors="replace")
                except OSError:
                    break
        assert text in self.seen, self.seen
        found, self.seen = self.seen.split(text, 1)
        return found + text

    def type(self, data):
        os.write(self._ours, data)

    def end(self):
        """The exit code."""
        code = self.process.wait(timeout=20)
        os.close(self._ours)
        return code


def test_in_a_terminal(desk):
    """A prompt, answers, an error after which one goes on, an ended session, bytes that are no text, Ctrl-D."""
    terminal = Terminal("--deployment", "web-chat")
    terminal.until("/quit ends the chat")
    terminal.until("> ")
    terminal.type(b"where is it\n")
    terminal.until("orders: Order 7 is on")
    terminal.until("> ")
    terminal.type(b"nobody knows this \xff\xfe\n")
    assert "Error:" in terminal.until("> ")
    terminal.type(b"evil\n")
    assert "\\u001b[2J" in terminal.until("> ")
    terminal.type(b"bye\n")
    terminal.until("The agent has ended the session.")
    terminal.until("> ")
    terminal.type(b"\x04")
    assert terminal.end() == 0
    assert [talk["turnCount"] for talk in desk.talks] == [3]


def test_control_c_in_a_terminal(desk):
    """It ends the chat with 130, also while an answer is waited for, and without a traceback."""
    desk.emulator.break_with({"method": "RunSession", "latency": {"seconds": 2}})
    terminal = Terminal()
    terminal.until("> ")
    terminal.type(b"bye\n")
    time.sleep(0.7)
    terminal.process.send_signal(signal.SIGINT)
    terminal.until("Interrupted.")
    assert "Traceback" not in terminal.seen
    assert terminal.end() == 130
