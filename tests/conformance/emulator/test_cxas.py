"""
Google's `cxas` as a client of the emulator: the published package, over REST, on this machine only.

It has an environment of its own, which `make test` sets up; CESPLAN_CXAS_PYTHON names another one.
"""

import json
import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
import urllib3

from cesplan.emulator import EmbeddedEmulator

ROOT = Path(__file__).parents[3]
PYTHON = Path(os.environ.get("CESPLAN_CXAS_PYTHON") or ROOT / ".venv-cxas" / "bin" / "python")
PAGE = (ROOT / "docs" / "emulator.md").read_text(encoding="utf-8")
PLACE = ("--project-id", "acme", "--location", "us")
APP = "projects/acme/locations/us/apps/desk1"
OF_APP = ("--app-name", APP)
CALLBACK = "def before_agent_callback(callback_context):\n    return None\n"
# Every command of cxas, as its own help lists them. Each has its rows on the page.
COMMANDS = {
    *(
        "migrate",
        "init-github-action",
        "evals",
        "test-tools",
        "test-callbacks",
        "test-single-callback",
        "export",
    ),
    *("push-eval", "run", "run-session", "ci-test", "delete", "local-test", "pull", "push", "lint", "llm-lint"),
    *("help", "init", "create", "branch", "apps", "conversations", "deployments", "local", "versions", "tools"),
    *("callbacks", "variables", "insights", "trace"),
}


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended: its exit code, its text, the methods that it called."""

    code: int
    text: str
    called: list[str]


class Cxas:
    """One process that runs one command after the other."""

    def __init__(self, emulator, folder):
        driver = Path(__file__).with_name("cxas_driver.py")
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "CES_API_ENDPOINT": f"http://{emulator.address}",
            "CES_TRANSPORT": "rest",
            "CXAS_OAUTH_TOKEN": "of-no-use",
            "COLUMNS": "200",
            "NO_COLOR": "1",
        }
        self.emulator = emulator
        self.folder = folder
        self.process = subprocess.Popen(
            [str(PYTHON), "-I", str(driver)],
            cwd=folder, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def run(self, *arguments):
        """Run a command; it reaches nothing but the emulator."""
        before = self.emulator.journal.count
        self.process.stdin.write(json.dumps(arguments) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        assert answer["elsewhere"] == []
        entries = self.emulator.journal.entries[before:]
        return Ended(answer["code"], answer["text"], list(dict.fromkeys(entry.rpc for entry in entries)))

    def works(self, *arguments, calls, says=""):
        """Run a command that ends well, calls these methods and says this."""
        ended = self.run(*arguments)
        assert (ended.code, ended.called) == (0, calls), ended.text
        assert says in ended.text
        return ended

    def send(self, verb, path, body):
        """Do what a person would do in the console."""
        answer = urllib3.request(verb, f"http://{self.emulator.address}/v1beta/{path}", json=body)
        assert answer.status == 200, answer.data


@pytest.fixture
def cxas(tmp_path):
    if not PYTHON.exists():
        pytest.skip("cxas is not installed: `make test` does it")
    with EmbeddedEmulator() as emulator:
        driven = Cxas(emulator, tmp_path)
        try:
            yield driven
        finally:
            driven.process.stdin.close()
            driven.process.stdout.close()
            driven.process.kill()
            driven.process.wait()


def furnish(cxas):
    """Give the app what the commands look for."""
    agent = {"displayName": "Front", "llmAgent": {}, "beforeAgentCallbacks": [{"pythonCode": CALLBACK}]}
    cxas.send("POST", f"{APP}/agents?agentId=front", agent)
    tool = {"pythonFunction": {"pythonCode": "def look(order: str):\n    return order\n"}}
    cxas.send("POST", f"{APP}/tools?toolId=lookup", tool)
    app = {
        "rootAgent": f"{APP}/agents/front",
        "variableDeclarations": [{"name": "v", "schema": {"type": "STRING"}}],
    }
    cxas.send("PATCH", f"{APP}?updateMask=rootAgent,variableDeclarations", app)
    golden = {"turns": [{"steps": [{"userInput": {"text": "hi"}}]}]}
    cxas.send("POST", f"{APP}/evaluations?evaluationId=gold1", {"displayName": "Gold", "golden": golden})
    messages = [
        {"role": "user", "chunks": [{"text": "Where is order 7?"}]},
        {"role": "Front", "chunks": [{"text": "Hi"}]},
    ]
    cxas.emulator.seed(
        {
            "name": f"{APP}/conversations/talk1", "source": "LIVE",
            "turnCount": 1, "turns": [{"messages": messages}],
            "startTime": "2020-01-01T10:00:00Z", "endTime": "2020-01-01T10:01:00Z",
        }
    )  # fmt: skip
    cxas.emulator.play({"evaluation": "Gold", "outcome": "PASS"}, {"evaluation": "*", "outcome": "FAIL"})


def test_an_app_is_made_moved_and_deleted(cxas):
    """Apps, archives, versions, deployments: everything about an app as a whole."""
    cxas.works("create", "Desk", "--app-id", "desk1", *PLACE, calls=["CreateApp"], says=APP)
    furnish(cxas)
    cxas.works("apps", "list", *PLACE, calls=["ListApps"], says=APP)
    cxas.works("apps", "get", APP, calls=["GetApp"], says="Display Name: Desk")
    cxas.works("pull", APP, "--target-dir", "byid", calls=["ExportApp"])
    cxas.works("pull", "Desk", "--target-dir", "byname", *PLACE, calls=["ListApps", "ExportApp"])
    pulled = cxas.folder / "byid" / "Desk"
    assert json.loads((pulled / "app.json").read_text())["rootAgent"] == "Front"
    assert (pulled / "tools/look/python_function/python_code.py").exists()

    code = pulled / "agents/Front/before_agent_callbacks/before_agent_callbacks_01/python_code.py"
    code.write_text(CALLBACK.replace("return None", "return 1"))
    cxas.works("push", "--app-dir", str(pulled), "--to", APP, calls=["ImportApp"], says="Successfully pushed")
    agent = cxas.emulator.store.children(APP, "agents")[0].body
    assert "return 1" in agent["beforeAgentCallbacks"][0]["pythonCode"]
    versioned = ("--create-version", "--version-name", "One")
    cxas.works(
        "push", "--app-dir", str(pulled), "--to", APP, *versioned, calls=["ImportApp", "CreateAppVersion"]
    )
    cxas.works("push", "--app-dir", str(pulled), "--display-name", "New", *PLACE, calls=["ImportApp"])
    cxas.works("branch", APP, "--new-name", "Branch", *PLACE, calls=["ExportApp", "ImportApp"])

    cxas.send("PATCH", f"{APP}?updateMask=globalInstruction", {"globalInstruction": "Be kind."})
    made = cxas.works("versions", "create", *OF_APP, "-n", "Two", "--json", calls=["CreateAppVersion"])
    assert '"display_name": "Two"' in made.text
    one, two = (row.name.rpartition("/")[2] for row in cxas.emulator.store.children(APP, "versions"))
    cxas.works("versions", "list", *OF_APP, calls=["ListAppVersions"], says=two)
    cxas.works("versions", "compare", *OF_APP, "--source", one, "--target", two, calls=["GetAppVersion"])
    web = ("--deployment-id", "webchat")
    made = ("--version-id", one, "--display-name", "Web", "--channel-type", "API")
    cxas.works("deployments", "create", *OF_APP, *web, *made, calls=["CreateDeployment"])
    cxas.works(
        *("deployments", "promote", *OF_APP, *web, "--traffic-split", f"{one}:60,{two}:40"),
        calls=["ListAppVersions", "UpdateDeployment"],
    )
    cxas.works("deployments", "list", *OF_APP, calls=["ListDeployments"], says='"trafficPercentage": 60')
    cxas.works("delete", *OF_APP, "--force", calls=["DeleteApp"], says="Successfully deleted")


def test_what_is_in_an_app(cxas):
    """Tools, callbacks, variables, evaluations, conversations, sessions by a script."""
    cxas.works("create", "Desk", "--app-id", "desk1", *PLACE, calls=["CreateApp"])
    furnish(cxas)
    tools = ["ListTools", "ListToolsets"]
    cxas.works("tools", "list", *OF_APP, calls=tools, says="look")
    cxas.works("tools", "delete", *OF_APP, "--name", "look", calls=[*tools, "DeleteTool"])
    cxas.works("callbacks", "list", *OF_APP, calls=["ListAgents", "GetAgent"], says="BEFORE_AGENT")
    first = ("--agent-name", "Front", "--callback-type", "before_agent", "--index", "0")
    cxas.works("callbacks", "delete", *OF_APP, *first, calls=["ListAgents", "GetAgent", "UpdateAgent"])
    cxas.works("variables", "list", *OF_APP, calls=["GetApp"], says="STRING")
    cxas.works("variables", "delete", *OF_APP, "--name", "v", calls=["GetApp", "UpdateApp"])

    gold = f"{APP}/evaluations/gold1"
    cxas.works("export", *OF_APP, "--evaluation-id", gold, calls=["GetEvaluation", *tools], says="user: hi")
    (cxas.folder / "e.yaml").write_text(
        "conversations:\n- conversation: Silver\n  turns:\n  - {user: hi, agent: sure}\n"
    )
    pushed = cxas.works(
        *("push-eval", *OF_APP, "--file", "e.yaml"),
        calls=[*tools, "ListAgents", "ListEvaluations", "CreateEvaluation"],
    )
    assert "Pushed: 'Silver'" in pushed.text
    passed = cxas.run("run", *OF_APP, "--evaluation-id", gold, "--wait")
    assert (passed.code, "FINAL RESULT: PASS" in passed.text) == (0, True)
    failed = cxas.run("run", *OF_APP, "--display-name-prefix", "Silver", "--wait")
    assert (failed.code, "FINAL RESULT: FAIL" in failed.text) == (1, True)

    talk = f"{APP}/conversations/talk1"
    cxas.works("conversations", "list", *OF_APP, calls=["ListConversations"], says=talk)
    cxas.works("conversations", "get", talk, calls=["GetConversation"], says="Where is order 7?")
    recent, listed = ("--time-filter", "36500d", "--format", "json"), ["ListConversations"]
    cxas.works("trace", "list", *OF_APP, *recent, calls=listed, says="talk1")
    assert "talk1" not in cxas.works("trace", "list", *OF_APP, "--time-filter", "1h", calls=listed).text
    cxas.works("trace", "search", "ORDER 7", *OF_APP, *recent, calls=listed, says="talk1")
    assert "talk1" not in cxas.works("trace", "search", "order 8", *OF_APP, *recent, calls=listed).text
    cxas.works("trace", "get", "talk1", *OF_APP, calls=["GetConversation"], says="Where is order 7?")
    cxas.works("trace", "stats", *OF_APP, *recent[:2], calls=[*listed, "GetConversation"])
    cxas.works("trace", "open", "talk1", *OF_APP, calls=["GetConversation"], says="id=talk1")
    replayed = cxas.works("trace", "replay", "talk1", *OF_APP, calls=["GetConversation", "RunSession"])
    assert "no script of sessions was provided" in replayed.text
    cxas.emulator.converse({"input": "where*", "steps": [{"transfer": "Front"}, {"say": "On its way."}]})
    replayed = cxas.works("trace", "replay", "talk1", *OF_APP, calls=["GetConversation", "RunSession"])
    assert "+On its way." in replayed.text


def test_every_command_of_cxas_has_its_row(cxas):
    """The page tells of each command that there is, and of none that there is not."""
    (listed,) = re.findall(r"\{([\w,-]+)\}", cxas.run("--help").text.partition("CXAS SCRAPI")[0])
    assert set(listed.split(",")) == COMMANDS


def test_the_page_has_a_row_for_each_command():
    """By the first word of what is in code in the first column of the table."""
    (section,) = re.findall(r"^## Google's cxas\n(.*?)^## ", PAGE, re.DOTALL | re.MULTILINE)
    cells = re.findall(r"^\| (`.*?`) \| (works|in part|no|by itself) \|", section, re.MULTILINE)
    words = {command.split()[0] for cell, _ in cells for command in re.findall(r"`([^`]+)`", cell)}
    assert words == COMMANDS
