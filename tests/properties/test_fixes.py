"""
`validate --fix` on trees with one slip of the keyboard: the tree is as it was before, or nothing is edited.

The files are written in every style that YAML has for a word; the slip may be at any key, value of an enum, or
reference.
"""

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cesplan.workflow.fixes.fixing import find_fixes, write_fixes
from cesplan.workflow.validating import TreeTarget

_FILES = {
    "cesplan.yaml": b"cesplan: 1\nproject: acme-dev\nlocation: us\napiVersion: v1beta\n"
    b"variables: {phrasing: friendly}\n",
    "apps/help-desk/app.yaml": b"\xef\xbb\xbfdisplayName: Desk  # the name\r\n"
    b"'rootAgent' : \"front-desk\"\r\n"
    b"variableDeclarations:\r\n- {name: customer_tier, description: How dear, schema: {type: STRING}}\r\n"
    b"languageSettings: {\"defaultLanguageCode\": en-US}\r\n"
    b"timeZoneSettings: {timeZone: Europe/Stockholm}\r\n",
    "apps/help-desk/agents/front-desk.yaml": b"# a comment\ndisplayName: Front   desk\n"
    b"instruction: {$file: front-desk.md}\n"
    b"tools: [ 'lookup-order',\"end_session\" ]\n"
    b"childAgents:\n  - billing-desk   # who pays\n",
    "apps/help-desk/agents/front-desk.md": b"Use {@TOOL: lookup_order} for {customer_tier}.\n"
    b"\nThen {@TOOL: lookup_order} for {customer_tier}.\n",
    "apps/help-desk/agents/billing-desk.yaml": b"? displayName\n: Billing desk\ninstruction: >-\n"
    b"  Say it in a ${phrasing} and\n  ${phrasing} way.\n"
    b"guardrails: [no-cards]\nmodelSettings:\n    temperature: 0.50\n",
    "apps/help-desk/tools/lookup-order.yaml": b"pythonFunction:\n  name: lookup_order\n"
    b"  pythonCode: {$file: lookup-order.py}\nexecutionType: SYNCHRONOUS\n",
    "apps/help-desk/tools/lookup-order.py": b'def lookup_order(order: str):\n    """Find."""\n    return {}\n',
    "apps/help-desk/guardrails/no-cards.yaml": b"displayName: No cards\nenabled: true\n"
    b"contentFilter: {matchType: REGEXP_MATCH, bannedContents: ['[0-9]{16}']}\n"
    b"action: {respondImmediately: {responses: [{text: No cards please.}]}}\n",
}  # fmt: skip
_KEYS = (
    "location", "apiVersion", "variables", "rootAgent", "variableDeclarations", "languageSettings",
    "defaultLanguageCode", "timeZoneSettings", "timeZone", "instruction", "childAgents", "guardrails",
    "modelSettings", "temperature", "pythonFunction", "pythonCode", "executionType", "contentFilter",
    "matchType", "bannedContents", "respondImmediately", "responses", "enabled",
)  # fmt: skip
_VALUES = (
    "front-desk", "lookup-order", "end_session", "billing-desk", "no-cards", "SYNCHRONOUS", "REGEXP_MATCH",
    "STRING", "customer_tier", "lookup_order", "Stockholm", "phrasing",
)  # fmt: skip
_DECLARED = ("name: customer_tier", "name: lookup_order", "phrasing: friendly")
"""Declarations of what other files mention: where they disagree, either may be wrong, so these are left."""
_WORDS = re.compile("|".join(rf"(?<![\w/-]){word}(?![\w-]|\.)" for word in (*_KEYS, *_VALUES)))
_PLACES = tuple(
    (path, found.start(), found[0])
    for path, data in _FILES.items()
    if not path.endswith(".py")
    for found in _WORDS.finditer(data.decode("utf-8"))
    if not any(
        data.decode("utf-8").startswith(item, found.start() - len(item) + len(found[0])) for item in _DECLARED
    )
    and not data.decode("utf-8").startswith("phrasing: friendly", found.start())
)


def _write(root: Path, files: dict[str, bytes]) -> None:
    for path, data in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)


def _read(root: Path) -> dict[str, bytes]:
    return {path: (root / path).read_bytes() for path in _FILES}


@st.composite
def _slips(draw: st.DrawFn) -> tuple[str, str, str, str]:
    """A file with one slip: its path, its text, the word as it was, and as it is."""
    path, start, word = draw(st.sampled_from(_PLACES))
    at = draw(st.integers(min_value=1, max_value=len(word) - 2))
    letter = draw(st.sampled_from("abcxyz"))
    slip = draw(
        st.sampled_from(
            [
                word[:at] + word[at + 1 :],
                word[:at] + letter + word[at:],
                word[:at] + letter + word[at + 1 :],
                word[:at] + word[at + 1] + word[at] + word[at + 2 :],
                word.swapcase(),
            ]
        )
    )
    text = _FILES[path].decode("utf-8")
    return path, text[:start] + slip + text[start + len(word) :], word, slip


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fixes")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(slip=_slips())
def test_one_slip_is_repaired_to_the_byte_or_left(root: Path, slip: tuple[str, str, str, str]) -> None:
    """What is edited is what was there before the slip; and a second run finds nothing more."""
    path, text, word, wrong = slip
    _write(root, {**_FILES, path: text.encode()})
    fixes = find_fixes(TreeTarget(folder=root))
    for edit in fixes.edits:
        assert (edit.path, edit.after) == (path, _FILES[path])
        assert {(fix.before, fix.after) for fix in edit.fixes} <= {(wrong, word)}
    write_fixes(fixes)
    assert _read(root) == ({**_FILES} if fixes.edits else {**_FILES, path: text.encode()})
    assert not find_fixes(TreeTarget(folder=root)).edits


def test_every_word_can_be_repaired(root: Path) -> None:
    """A letter that is missing, at each key, value and reference of the tree: none is left to the person."""
    left = []
    for path, start, word in _PLACES:
        at = start + len(word) // 2
        text = _FILES[path].decode("utf-8")
        _write(root, {**_FILES, path: (text[:at] + text[at + 1 :]).encode()})
        edits = find_fixes(TreeTarget(folder=root)).edits
        if [(edit.path, edit.after) for edit in edits] != [(path, _FILES[path])]:
            left.append((path, word))
    assert left == []
