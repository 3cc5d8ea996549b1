"""
Texts of strangers in what cesplan prints and writes.

A console's user, a message of the service, a file name in a pull request: none of them can drive a terminal,
reorder what a reviewer reads, or command the service that runs the pipeline. And no file name breaks a report.
"""

import json
import os
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from ruamel.yaml import YAML

from cesplan.cli.console import Console
from cesplan.cli.reports import Reports
from cesplan.cli.running import run
from cesplan.config.writing.emitting import document
from cesplan.domain.diagnostic import Diagnostic, Severity, SourcePlace
from cesplan.domain.errors import ApiError
from cesplan.domain.text.characters import commandless, has_bidi
from cesplan.render.documents import line_of, text_of
from cesplan.render.machine.formats.diagnostics import ValidationReport
from cesplan.render.services.junit import error_junit, validation_junit
from cesplan.render.services.sarif import sarif
from cesplan.render.text.diagnostics import diagnostics_text
from cesplan.render.text.errors import error_text
from tests.security.servers import server

RAW = re.compile(
    "[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
HIDDEN = (
    "\x7f\x80\x9b31m\x9f\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"
    "\ufff9\ufffb\U000e0001\U000e0041\U000e007f"
)
COMMANDS = [
    "::set-output name=x::y",
    "  ::add-mask::secret",
    "\t::stop-commands::x",
    "\u3000::error::x",
    "a ##[add-path]/tmp",
    "##[set-env name=PATH]/tmp",
    "##vso[task.setvariable variable=x]y",
    "x##VSO[task.setvariable variable=x]y",
    "##teamcity[buildStatus status='SUCCESS']",
]


def commands_in(text: str) -> list[str]:
    """The lines that GitHub, Azure Pipelines and TeamCity would obey, found as their runners look for them."""
    found = []
    for line in re.split("[\r\n]", text):
        lowered = line.lower()
        if line.strip().startswith("::") or any(word in lowered for word in ("##[", "##vso[", "##teamcity[")):
            found.append(line)
    return found


def test_the_judge_of_these_tests_finds_every_command():
    """Else nothing below means anything."""
    assert [commands_in(text) for text in COMMANDS] == [[text] for text in COMMANDS]


@pytest.mark.parametrize("write", [text_of, line_of])
def test_json_holds_no_active_sign_and_means_the_same(write):
    """C1 controls, marks of direction, separators of lines, tags and commands are escapes."""
    value = {HIDDEN: [HIDDEN, *COMMANDS], "harmless": "שלום, नमस्ते, 👩‍🚀, # 1, ## Heading, a::b"}
    text = write(value)
    assert RAW.search(text) is None
    assert commands_in(text) == []
    assert json.loads(text) == value
    assert "שלום, नमस्ते, 👩‍🚀, # 1, ## Heading, a::b" in text


def finding(file: str, summary: str = "x") -> Diagnostic:
    return Diagnostic(
        code="CES004",
        severity=Severity.ERROR,
        summary=summary,
        place=SourcePlace(file=file, line=1, column=1),
        source_line=summary,
    )


def test_file_names_that_are_not_utf_8_break_no_report():
    """On Linux a name is any bytes. JSON spells them, a URI has them in percent signs."""
    name = os.fsdecode(b"agents/\xff\xe9.yaml")
    item = finding(name, f"`{name}` cannot be read")
    [found] = json.loads(ValidationReport.of([item], 1).text().encode())["diagnostics"]
    assert found["place"]["file"] == r"agents/\xff\xe9.yaml"
    run_ = json.loads(sarif([item], []).encode())["runs"][0]
    location = run_["results"][0]["locations"][0]["physicalLocation"]
    assert location["artifactLocation"]["uri"] == "agents/%FF%E9.yaml"
    ElementTree.fromstring(validation_junit([item], {}).encode())
    assert "\\udcff" in diagnostics_text([item]).encode().decode()


@pytest.mark.skipif(os.name != "posix", reason="names are bytes on POSIX only")
def test_a_tree_with_a_file_name_that_is_not_utf_8_is_validated(tmp_path, monkeypatch, capsys):
    """In every format: the command ends with 7 and its findings, and every report is whole."""
    monkeypatch.chdir(tmp_path)
    Path("cesplan.yaml").write_text("cesplan: 1\nproject: acme-dev\nlocation: us\n")
    os.makedirs("apps/help-desk/agents")
    Path("apps/help-desk/app.yaml").write_text("displayName: Desk\n")
    Path(os.fsdecode(b"apps/help-desk/agents/\xff-agent.yaml")).write_text("nonsense: true\n")
    formats = ("text", "json", "jsonl", "markdown", "junit", "sarif")
    words = [word for name in formats for word in ("--report", f"{name}=out.{name}")]
    assert run(["validate", *words]) == 7
    assert "defect" not in capsys.readouterr().err
    assert [name for name in formats if not Path(f"out.{name}").read_bytes()] == []
    json.loads(Path("out.json").read_bytes())
    json.loads(Path("out.sarif").read_bytes())
    ElementTree.parse("out.junit")


@pytest.mark.parametrize("message", COMMANDS)
def test_messages_of_the_service_are_no_commands_in_a_log(message):
    """Wherever in a message they are: summary, detail, or a line of its own."""
    error = ApiError(summary=f"Could not get x: {message}", detail=f"{message}\nfirst\n{message}")
    for text in (error_text(error), commandless(str(error)), error_junit("plan", error)):
        assert commands_in(text) == []
    ElementTree.fromstring(error_junit("plan", error))


@pytest.mark.parametrize("message", COMMANDS)
def test_findings_are_no_commands_in_a_log(message):
    """Summaries and source lines of a stranger's tree."""
    assert commands_in(diagnostics_text([finding(message, message)])) == []


def test_a_command_is_still_read_by_people():
    """A backslash is all that is added."""
    assert commandless("a\n  ::set-output name=x::y\n##[group]z\n") == (
        "a\n  \\::set-output name=x::y\n#\\#[group]z\n"
    )
    assert commandless(commandless("::a\n##[b")) == commandless("::a\n##[b")
    assert commandless("a::b ## c #[d]") == "a::b ## c #[d]"


@pytest.mark.parametrize("message", COMMANDS)
def test_nothing_on_stderr_is_a_command(capsys, message):
    """Whichever way it comes there: progress, wrong usage, a trace of `--debug`."""
    Console().notify(f"{message}\n")
    assert commands_in(capsys.readouterr().err) == []


def test_markdown_in_a_log_is_no_command(capsys):
    """A comment for a pull request that is printed instead."""
    reports = Reports(stdout="markdown")
    reports.write_final(Console(), {"markdown": lambda: "\n".join(COMMANDS)})
    assert commands_in(capsys.readouterr().out) == []


def test_yaml_on_stdout_is_data_and_no_command():
    """`cesplan render`: every value comes back as it was, and no line of it commands or hides."""
    value = {
        "a": "\n".join(["first", *COMMANDS]),
        "b": list(COMMANDS),
        "c": {text: text for text in COMMANDS},
        "d": HIDDEN,
        "e": f"line\n{HIDDEN}\nline\n",
    }
    text = document(value)
    assert commands_in(text) == []
    assert RAW.search(text) is None
    assert YAML(typ="safe", pure=True).load(text) == value


def test_a_service_that_speaks_in_commands_commands_nothing(tmp_path, monkeypatch, capsys):
    """The whole way: a refusal whose message is a list of commands, in text, with --debug, and as Markdown."""
    monkeypatch.chdir(tmp_path)
    Path("cesplan.yaml").write_text("cesplan: 1\nproject: acme-dev\nlocation: us\n")
    os.makedirs("apps/help-desk")
    Path("apps/help-desk/app.yaml").write_text("displayName: Desk\n")
    said = "\n".join(["No.", *COMMANDS, "\x9b2J"])
    body = json.dumps({"error": {"code": 403, "status": "PERMISSION_DENIED", "message": said}}).encode()

    def refuse(connection, over):
        connection.sendall(
            b"HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)
        )

    with server(refuse) as address:
        monkeypatch.setenv("CES_EMULATOR_HOST", address)
        for words in ([], ["--debug"], ["--format", "markdown"], ["--format", "jsonl"], ["--format", "junit"]):
            assert run(["plan", *words]) == 6
            streams = capsys.readouterr()
            assert commands_in(streams.out + streams.err) == []
            assert RAW.search(streams.out + streams.err) is None


def test_marks_of_direction_are_found():
    """What is reported by `pull`, and only that."""
    assert has_bidi("a\u202eb")
    assert has_bidi("\u2066")
    assert not has_bidi("שלום")
    assert not has_bidi("plain")
