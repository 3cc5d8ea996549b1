"""
Trees that would exhaust the machine: bombs that grow, findings by the thousand, files without an end.

Each costs no more than its size, and ends in findings with a place and a code. Costs are counted in calls, as
many on every machine: twice the input may take little more than twice the calls.
"""

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

import cesplan.config.files as files_module
from cesplan.cli.running import run
from cesplan.config import report as reporting
from cesplan.config.checks import placing
from cesplan.config.checks.mentions import mentions_in
from cesplan.config.files import LARGEST_FILE
from cesplan.config.suggestions import MOST_COMPARED, limited_suggestions, nearest
from cesplan.config.tree import run_checks as checking
from cesplan.config.tree.load import Loaded, load
from cesplan.config.yaml.composing import MOST_EVENTS, compose
from cesplan.config.yaml.events import LONGEST_EXACT
from cesplan.config.yaml.nodes import At
from cesplan.domain.text.line_matching import opcodes
from cesplan.features.policy.language import ExpressionError, Undecided, compile_expression
from cesplan.features.policy.rules import read_policy
from cesplan.render.text.diagnostics import diagnostics_text
from cesplan.render.text.text_diff import TextDiff, text_diff
from tests.costs import calls_of

PROJECT = "cesplan: 1\nproject: acme-dev\nlocation: us\n"
APP = "apps/help-desk/app.yaml"
AGENT = "apps/help-desk/agents/front-desk.yaml"
TEXT = "apps/help-desk/agents/front-desk.md"
TOOLSET = "apps/help-desk/toolsets/orders.yaml"
OPEN_API = "apps/help-desk/toolsets/orders.openapi.yaml"
PATCH = "environments/prod/apps/help-desk/agents/front-desk.patch.yaml"
BASE = {
    "cesplan.yaml": PROJECT,
    APP: "displayName: Help desk\nrootAgent: front-desk\n",
    AGENT: "displayName: Front desk\ninstruction: {$file: front-desk.md}\n",
    TEXT: "Be kind.\n",
}
WITH_PROD = {"cesplan.yaml": PROJECT + "environments: {prod: {}}\n"}

Files = Mapping[str, str]


def plant(root: Path, files: Files) -> Path:
    for path, text in {**BASE, **files}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


def loaded(root: Path, files: Files, environment: str = "") -> Loaded:
    return load(plant(root, files), environment=environment, environ={})


def found(root: Path, files: Files, environment: str = "") -> set[str]:
    """The codes and summaries of everything that is wrong."""
    return {f"{item.code} {item.summary}" for item in loaded(root, files, environment).diagnostics}


def lines(form: str) -> Callable[[int], str]:
    return lambda number: "".join(form.format(i) for i in range(number))


MANY: dict[str, Callable[[int], Files]] = {
    "tools mentioned": lambda n: {TEXT: lines("{{@TOOL: x{0}}}\n")(n)},
    "agents mentioned": lambda n: {TEXT: lines("{{@AGENT: x{0}}}\n")(n)},
    "variables mentioned": lambda n: {TEXT: lines("{{front_{0}}}\n")(n)},
    "code and variables": lambda n: {TEXT: "`code` {name}\n" * n},
    "unknown fields": lambda n: {AGENT: "displayName: F\n" + lines("field{0}: 1\n")(n)},
    "keys written twice": lambda n: {AGENT: "displayName: F\n" * n},
    "elements of a wrong type": lambda n: {AGENT: "displayName: F\ntools:\n" + "- 1\n" * n},
    "references to nothing": lambda n: {AGENT: "displayName: F\ntools:\n" + lines("- tool{0}\n")(n)},
    "variables without a value": lambda n: {
        AGENT: "displayName: F\ninstruction: |\n" + lines("  ${{v{0}}}\n")(n)
    },
    "names of no variable": lambda n: {
        AGENT: "displayName: F\ninstruction: {$file: front-desk.md, $expand: true}\n",
        TEXT: lines("${{v-{0}}}\n")(n),
    },
    "operations of OpenAPI": lambda n: {
        TOOLSET: "openApiToolset: {openApiSchema: {$file: orders.openapi.yaml}}\n",
        OPEN_API: "openapi: 3.0.0\npaths:\n" + lines("  /p{0}: {{get: {{operationId: same}}}}\n")(n),
    },
    "references of OpenAPI": lambda n: {
        TOOLSET: "openApiToolset: {openApiSchema: {$file: orders.openapi.yaml}}\n",
        OPEN_API: "openapi: 3.0.0\npaths:\n" + lines("  /p{0}: {{get: {{$ref: '#/x{0}'}}}}\n")(n),
    },
    "files in a keyed list": lambda n: {
        APP: "displayName: H\nrootAgent: front-desk\nvariableDeclarations:\n"
        + lines("- {{name: v{0}, description: {{$file: v.md}}, schema: {{type: STRING}}}}\n")(n),
        "apps/help-desk/v.md": "x\n",
    },
    "files that are not there": lambda n: {AGENT: "$extra:\n" + lines("  a{0}: {{$file: no{0}.md}}\n")(n)},
    "protected by nothing": lambda n: {"cesplan.yaml": PROJECT + "protect:\n" + lines("- help-desk/x{0}\n")(n)},
}


@pytest.mark.parametrize("name", MANY)
def test_twice_the_findings_take_twice_the_work(tmp_path: Path, name: str) -> None:
    """Loading and showing are linear in what is wrong, whichever check finds it."""

    def cost(number: int) -> int:
        root = plant(tmp_path / str(number), MANY[name](number))
        return calls_of(lambda: diagnostics_text(load(root, environ={}).diagnostics), builtins=True)

    cost(10)  # what is made once
    small, large = cost(300), cost(600)
    assert large / small < 2.3


def test_texts_are_cut_into_lines_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many findings are in them: one search for line ends, of a length that does not count as calls."""
    made = []

    class Counted(reporting.SourceFile):
        def __init__(self, path: str, text: str) -> None:
            made.append(path)
            super().__init__(path, text)

    monkeypatch.setattr(checking, "SourceFile", Counted)
    placing._line_starts.cache_clear()
    loaded(tmp_path, {TEXT: lines("{{@TOOL: x{0}}}\n")(500)})
    assert made == [TEXT]
    assert placing._line_starts.cache_info().misses == 1


def test_the_top_of_a_file_is_cut_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A list in one line has as many places as elements, and its line is as long as all of them."""

    class Counting:
        cuts = 0

        def split(self, text: str, most: int = 0) -> list[str]:
            self.cuts += 1
            return text.split("\n", most or -1)

    counting = Counting()
    monkeypatch.setattr(reporting, "_LINE_BREAK", counting)
    source = reporting.SourceFile(AGENT, "tools: [x, x]\nb\nc\nd\ne\nf\n")
    shown = [source.spot(At(number % 7, 0)).source_line for number in range(70)]
    assert shown[:7] == ["tools: [x, x]", "b", "c", "d", "e", "f", ""]
    assert counting.cuts <= 2, "the top, and all of it"


def test_places_are_those_of_the_lines() -> None:
    """Line and column count from 1, at every offset of a text."""
    text = "ab\n\ncd\n"
    places = [placing.place_at(text, offset)[:2] for offset in range(len(text) + 1)]
    assert places == [(1, 1), (1, 2), (1, 3), (2, 1), (3, 1), (3, 2), (3, 3), (4, 1)]


def test_mentions_in_code_are_none() -> None:
    """Before, inside and after spans and fences."""
    text = "{a} `{b}` {c}\n```\n{d}\n```\n{e} `{f}`"
    assert [item.name for item in mentions_in(text)] == ["a", "c", "e"]


def test_of_one_kind_in_one_file_a_hundred_are_shown(tmp_path: Path) -> None:
    """The rest is counted, and the tree is as wrong as before."""
    result = loaded(tmp_path, {AGENT: "displayName: F\n" + lines("field{0}: 1\n")(250)})
    unknown = [item for item in result.diagnostics if item.code == "CES012"]
    assert len(unknown) == 101
    assert "150 more like this in this file" in {item.summary for item in unknown}
    assert result.desired is None


def test_a_finding_is_not_as_long_as_what_is_wrong(tmp_path: Path) -> None:
    """Names, values and source lines of a megabyte are cut."""
    word = "k" * 1_000_000
    result = loaded(tmp_path, {AGENT: f"displayName: F\n? {word}\n: 1\ntools: [{word}]\n"})
    assert {item.code for item in result.diagnostics} >= {"CES012", "CES021"}
    assert len(diagnostics_text(result.diagnostics)) < 20_000


def test_suggestions_have_a_budget() -> None:
    """Thousands of slips among thousands of names: the first ones get a suggestion."""
    known = [f"name{i}" for i in range(1000)]
    with limited_suggestions():
        told = [nearest("nam1", known) for _ in range(30)]
    assert told == ["name1"] * (MOST_COMPARED // 1000) + [""] * (30 - MOST_COMPARED // 1000)
    assert nearest("nam1", known) == "name1"
    assert nearest("n" * 101, ["n" * 100]) == ""


def test_a_file_has_a_largest_size(tmp_path: Path) -> None:
    """Texts and resources, and a sparse file of any length, of which no more than that is read."""
    plant(tmp_path, {})
    for name, path in (("a resource", AGENT), ("a text", TEXT), ("the project", "cesplan.yaml")):
        whole = (tmp_path / path).read_bytes()
        os.truncate(tmp_path / path, 10 * 1024**3)
        said = {item.summary for item in load(tmp_path, environ={}).diagnostics}
        assert any("it is larger than 4 MiB" in text for text in said), name
        (tmp_path / path).write_bytes(whole)
    (tmp_path / TEXT).write_bytes(b"x" * LARGEST_FILE)
    assert not any("larger" in item.summary for item in load(tmp_path, environ={}).diagnostics)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_what_is_no_file_is_not_read(tmp_path: Path) -> None:
    """A pipe that nobody writes to, a folder, a device: none of them is waited for."""
    plant(tmp_path, {AGENT: "$extra:\n  a: {$file: pipe}\n  b: {$file: folder}\n  c: {$file: zero}\n"})
    folder = tmp_path / "apps/help-desk/agents"
    os.mkfifo(folder / "pipe")
    (folder / "folder").mkdir()
    (folder / "zero").symlink_to("/dev/zero")
    said = [item.summary for item in load(tmp_path, environ={}).diagnostics if item.code == "CES025"]
    assert len(said) == 3


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- a\n" * (MOST_EVENTS + 1), "more than 200,000 keys and values in one file"),
        ("- a\n" * (LARGEST_FILE // 4), "more than 200,000 keys and values in one file"),
        ("[" * 100_000, "nested more than 100 levels deep"),
        ("a: " * 2000, "`: ` is not allowed here"),
        ("%TAG !a! b\n" * 100_000, "too many YAML directives"),
        ("a: &a [x, x]\n" + "".join(f"b{i}: &b{i} [{'*a, ' * 9}*a]\n" for i in range(1)), ""),
        ('a: "\u2028"\nb: ' + "x" * LONGEST_EXACT, "KiB of YAML that needs the slow parser"),
        ("a: 1\n" * 5000, "more than 1,000 problems in one file"),
        (
            f"a: &a {'x' * 100_000}\nb: [{'*a, ' * 1000}*a]\n",
            "aliases expand this file to more than 100000 values",
        ),
    ],
)
def test_yaml_is_read_within_limits(text: str, said: str) -> None:
    """By the number of its values, their nesting, what they represent, and what its reader is bad at."""
    problems = [problem.summary for problem in compose(text).problems]
    assert said in (problems[-1] if problems else "")


def test_billions_of_laughs_are_not_laughed() -> None:
    """Aliases of aliases of aliases; and merges of merges."""
    rows = ["a0: &a0 {x: 1, y: 1}"]
    rows += [f"a{i}: &a{i} {{p: *a{i - 1}, q: *a{i - 1}}}" for i in range(1, 60)]
    assert "aliases expand this file" in compose("\n".join(rows)).problems[-1].summary
    rows = ["a0: &a0 {x: 1, y: 1}"]
    rows += [f"a{i}: &a{i} {{<<: [*a{i - 1}, *a{i - 1}]}}" for i in range(1, 60)]
    assert "aliases expand this file" in compose("\n".join(rows)).problems[-1].summary


def test_a_text_cannot_multiply_a_variable(tmp_path: Path) -> None:
    """A megabyte, named a thousand times in a text."""
    files = {
        "cesplan.yaml": PROJECT + f"variables: {{v: {'x' * 1_000_000}}}\n",
        AGENT: f'displayName: F\ninstruction: "{"${v}" * 1000}"\n',
    }
    assert "CES029 the text is too long after its variables are expanded" in found(tmp_path, files)


@pytest.mark.parametrize("value", ["{$file: front-desk.md}", "{$var: v}"])
def test_a_resource_cannot_multiply_what_it_takes_in(tmp_path: Path, value: str) -> None:
    """A megabyte, taken in a thousand times: one error, and no gigabyte."""
    files = {
        "cesplan.yaml": PROJECT + f"variables: {{v: [{'x' * 1_000_000}]}}\n",
        AGENT: "displayName: F\n$extra:\n" + "".join(f"  a{i}: {value}\n" for i in range(1000)),
        TEXT: "x" * 1_000_000,
    }
    said = found(tmp_path, files)
    assert "CES025 one resource includes more than 8 MiB with `$file` and `$var`" in said


def test_a_patch_cannot_double_and_double(tmp_path: Path) -> None:
    """Forty copies of everything into itself would be a trillion values."""
    files = {
        **WITH_PROD,
        AGENT: "displayName: F\n$extra: {a: {x: 1, y: 2}}\n",
        PATCH: "".join(f"- {{op: copy, from: /$extra, path: /$extra/b{i}}}\n" for i in range(40)),
    }
    assert "CES102 the patch processes more than 100,000 values" in found(tmp_path, files, "prod")


@pytest.mark.parametrize("op", ["copy", "move"])
def test_a_patch_cannot_nest_without_end(tmp_path: Path, op: str) -> None:
    """Deeper with each operation; and by one path."""
    head = "- {op: add, path: /$extra/b, value: {x: 1}}\n"
    rows = "".join(
        f"- {{op: {op}, from: /$extra/{'ab'[i % 2]}, path: /$extra/{'ba'[i % 2]}/c}}\n" for i in range(9)
    )
    deep = "- {op: add, path: /" + "a/" * 200 + "a, value: 1}\n"
    files = {**WITH_PROD, AGENT: "displayName: F\n$extra: {a: {x: 1}}\n", PATCH: head + rows + deep}
    assert "CES102 the patch nests values more than 100 levels deep" in found(tmp_path, files, "prod")


def test_patterns_of_apps_look_through_the_folders_once(tmp_path: Path) -> None:
    """`**/a/**/a/**` over folders inside each other takes a power of their number."""
    files = {"cesplan.yaml": PROJECT + "apps: ['**/a/**/a/**/a/**']\n"}
    assert "CES006 `**/a/**/a/**/a/**` contains more than one `**`" in found(tmp_path, files)


@pytest.mark.parametrize(
    "message",
    ["{address:>900000000}", "{address!r:>9}", "{address!a}", "{address:{app}}", "{address.x}", "{0}"],
)
def test_messages_of_a_policy_have_no_forms(tmp_path: Path, message: str) -> None:
    """A width of 900 million characters took 3.6 GB for each operation."""
    rule = f"policy:\n- {{name: r, deny: 'true', message: '{message}'}}\n"
    root = plant(tmp_path, {"cesplan.yaml": PROJECT + rule})
    said = [item.summary for item in load(root, environ={}, read_policy=read_policy).diagnostics]
    assert any(text.startswith("the message cannot contain") for text in said)


def test_a_condition_that_is_too_much_for_cel_counts_as_broken() -> None:
    """Its library has a budget of iterations; what it raises then is not a defect."""
    inside = "true"
    for name in "abcde":
        inside = f"mask.all({name}, {inside})"
    with pytest.raises(Undecided, match="too much work"):
        compile_expression(inside).holds({"mask": ["x"] * 100})
    with pytest.raises(Undecided, match="budget"):
        compile_expression("mask.all(a, true)").holds({"mask": ["x"] * 10_001})
    with pytest.raises(ExpressionError) as caught:
        compile_expression("true || " * 10_000 + "true")
    assert caught.value.text == "it is longer than 10,000 characters"


@pytest.mark.parametrize(
    "condition",
    [
        "address" + ".replace('', 'xxxxxxxxxx')" * 20 + " == ''",
        "mask" + ".map(x, x + x)" * 25 + " == []",
        "mask" + ".map(x, [x, x, x])" * 25 + " == []",
    ],
)
def test_a_condition_cannot_double_and_double(tmp_path: Path, condition: str) -> None:
    """A text of a few characters that becomes gigabytes: refused where it is read, and never evaluated."""
    root = plant(tmp_path, {"cesplan.yaml": PROJECT + f'policy:\n- {{name: r, deny: "{condition}"}}\n'})
    said = [
        item for item in load(root, environ={}, read_policy=read_policy).diagnostics if item.code == "CES111"
    ]
    assert len(said) == 1
    assert "too much work or memory" in f"{said[0].summary} {said[0].detail}"


@pytest.mark.parametrize(
    ("condition", "after"),
    [
        ("after.x.split('').size() > 1", {"x": "a" * 8_000_000}),
        ("after.x.replace('', after.x) == ''", {"x": "a" * 1_000_000}),
        ("after.l.map(x, x) == []", {"l": ["a"] * 9_999}),
        ("after.l.join(after.x) == ''", {"l": ["a"] * 1_000, "x": "a" * 1_000_000}),
    ],
)
def test_a_condition_is_not_evaluated_where_the_resource_is_too_much_for_it(
    condition: str, after: dict[str, object]
) -> None:
    """What nobody can tell counts as broken; the condition is affordable for any usual resource."""
    with pytest.raises(Undecided, match="too much work"):
        compile_expression(condition).holds({"after": after})


def test_usual_conditions_are_evaluated_for_large_resources() -> None:
    """Four megabytes of text, and looking for one text in another."""
    subject = {"after": {"x": "a" * 4_000_000, "y": "b" * 10_000, "l": ["abc"] * 200}, "mask": ["x"] * 50}
    for condition in (
        "after.x.size() > 1 && mask.exists(m, m.startsWith('x'))",
        "!after.x.contains('b')",
        "after.l.all(x, x.matches('^a[b-z]{1,30}$'))",
        "after.l.map(x, x + '!').size() == 200",
    ):
        small = {**subject, "after": {**subject["after"], "x": "a" * 100_000}}  # type: ignore[dict-item]
        assert compile_expression(condition).holds(subject if "after.x" in condition else small)


def test_a_tree_has_a_largest_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many files of an allowed size: the tree has a limit as a whole, and what is beyond it is not read."""
    monkeypatch.setattr(files_module, "MOST_DATA", 1_000_000)
    files = {f"apps/help-desk/agents/a{i}.yaml": f"displayName: A{i}\n#{'x' * 100_000}\n" for i in range(20)}
    said = found(tmp_path, files)
    assert any("the files of this tree are larger than 0 MiB in total" in text for text in said)
    assert len(said) >= 10


def test_the_command_ends_as_it_does_for_any_mistake(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Warnings are 0, as always, and fill no more than a page that a person can read."""
    plant(tmp_path, {TEXT: lines("{{@TOOL: x{0}}}\n")(5000)})
    monkeypatch.chdir(tmp_path)
    assert run(["validate", "--format", "json"]) == 0
    streams = capsys.readouterr()
    assert len(streams.out) < 200_000
    assert "4,900 more like this in this file" in streams.err


REPEATED = {
    "two lines over and over": ("a\nb\n" * 5000, "b\na\na\n" * 4000),
    "a few lines in another order": (
        "\n".join(str(i % 150) for i in range(20_000)),
        "\n".join(str(i * 7 % 150) for i in range(20_000)),
    ),
    "every second line another": (
        "\n".join(f"{i}\nold{i}" for i in range(10_000)),
        "\n".join(f"{i}\nnew{i}" for i in range(10_000)),
    ),
    "nothing in common": ("\n".join(f"a{i}" for i in range(20_000)), "\n".join(f"b{i}" for i in range(20_000))),
    "one long line": ("x " * 50_000, "y x " * 30_000),
}


@pytest.mark.parametrize("name", REPEATED)
def test_no_live_text_makes_its_difference_endless(name: str) -> None:
    """4 KB of two lines that repeat took minutes. What is compared has a limit; the counts are still right."""
    before, after = REPEATED[name]
    made: list[object] = []
    assert calls_of(lambda: made.append(text_diff(before, after)), builtins=True) < 2_000_000
    [diff] = made
    assert isinstance(diff, TextDiff)
    assert diff.total >= diff.changed > 0


def test_lines_that_repeat_are_no_anchors_and_still_match() -> None:
    """Text and difference go together, whatever was left out of the search."""
    for before, after in REPEATED.values():
        old, new = before.split("\n"), after.split("\n")
        found = opcodes(old, new)
        assert [line for _, i, j, _, _ in found for line in old[i:j]] == old
        assert [line for _, _, _, i, j in found for line in new[i:j]] == new
        assert all(old[i1:i2] == new[j1:j2] for tag, i1, i2, j1, j2 in found if tag == "equal")
    assert opcodes(["a", "b", "c"], ["a", "x", "c"]) == [
        ("equal", 0, 1, 0, 1),
        ("replace", 1, 2, 1, 2),
        ("equal", 2, 3, 2, 3),
    ]
