"""What an environment lays over a tree, read from disk."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from cesplan.config.codes import CODES
from cesplan.config.codes.environments import ENVIRONMENT_CODES
from cesplan.config.tree.load import Loaded
from tests.unit.config.planting import PROJECT, found, plant, read, resource, store

ENVIRONMENTS = PROJECT + "environments:\n  dev: {}\n  prod: {project: acme-prod}\n"
AGENT = """\
displayName: Front desk
instruction: {$file: front-desk.md}
tools: [look-up]
modelSettings: {model: fast, temperature: 0.5}
"""
TOOL = 'pythonFunction: {name: look_up, pythonCode: "def look_up(): pass"}\n'
BASE: dict[str, str | bytes] = {
    "agents/front-desk.yaml": AGENT,
    "agents/front-desk.md": "Help.\n",
    "tools/look-up.yaml": TOOL,
}
DESK = "agents/front-desk"
PROD = "/environments/prod/apps/store"
FILE = "environments/prod/apps/store/agents/front-desk"


def prod(root: Path, files: Mapping[str, str], environment: str = "prod", **arguments: Any) -> Loaded:
    """The tree with files laid over the app in production."""
    over = {f"{PROD}/{path}": text for path, text in files.items()}
    return read(plant(root, {**BASE, **over}, project=ENVIRONMENTS), environment=environment, **arguments)


def body(loaded: Loaded, address: str = DESK) -> dict[str, Any]:
    return resource(loaded, address).body


def what(loaded: Loaded) -> list[tuple[str, str, str, str]]:
    """Code, place, summary and suggestion of every error of environments."""
    return [
        (item.code, str(item.place), item.summary, item.suggestion)
        for item in loaded.diagnostics
        if item.code in {code.code for code in ENVIRONMENT_CODES}
    ]


def test_mappings_merge_and_everything_else_is_replaced(tmp_path: Path) -> None:
    """A partial file changes what it names; a list is one value."""
    loaded = prod(
        tmp_path, {"agents/front-desk.yaml": "tools: [end_session]\nmodelSettings: {temperature: 0}\n"}
    )
    assert body(loaded) == {
        "displayName": "Front desk",
        "instruction": "Help.",
        "tools": ["tools/end_session"],
        "modelSettings": {"model": "fast", "temperature": 0},
    }
    assert resource(loaded, DESK).file == "apps/store/agents/front-desk.yaml"


def test_null_clears_a_field_and_takes_a_directive_away(tmp_path: Path) -> None:
    """A field is null as it is in any file; a directive has no null."""
    files = {**BASE, "agents/front-desk.yaml": AGENT + "$protect: true\n$ignore: [description]\n"}
    over = {f"{PROD}/agents/front-desk.yaml": "modelSettings: null\n$protect: null\n$ignore: [instruction]\n"}
    loaded = read(plant(tmp_path, {**files, **over}, project=ENVIRONMENTS), environment="prod")
    found = resource(loaded, DESK)
    assert found.body["modelSettings"] is None
    assert not found.protect
    assert [*map(str, found.ignore)] == ["instruction"]


def test_a_value_that_stands_for_another_is_replaced_whole(tmp_path: Path) -> None:
    """`{$file: …}` over `{$file: …}` is not a merge; a path is relative to the file it is in."""
    files = {"agents/front-desk.yaml": "instruction: {$file: loud.md}\n", "agents/loud.md": "HELP.\n"}
    loaded = prod(tmp_path, files)
    assert body(loaded)["instruction"] == "HELP."
    assert resource(loaded, DESK).files == {"instruction": "environments/prod/apps/store/agents/loud.md"}
    assert found(loaded) == [], "the base text is used by other environments"


def test_another_environment_sees_nothing_of_it(tmp_path: Path) -> None:
    """Neither its files nor its texts, in `dev` and without an environment."""
    files = {"agents/front-desk.yaml": "$nonsense: 1\n", "agents/loud.md": "HELP.\n"}
    for environment in ("dev", ""):
        assert found(prod(tmp_path, files, environment)) == []


def test_a_patch_follows_the_merge(tmp_path: Path) -> None:
    """Operations see what the partial file made of the base, and $file in them starts at the patch."""
    files = {
        "agents/front-desk.yaml": "tools: [look-up, end_session]\n",
        "agents/front-desk.patch.yaml": """\
- {op: test, path: /tools/1, value: end_session}
- {op: remove, path: /tools/0}
- {op: replace, path: /modelSettings/temperature, value: 0.1}
- {op: add, path: /description, value: "In ${place}"}
- {op: copy, from: /modelSettings/model, path: /displayName}
- {op: replace, path: /instruction, value: {$file: loud.md}}
""",
        "agents/loud.md": "HELP.\n",
    }
    project = ENVIRONMENTS + "variables: {place: Rome}\n"
    over = {f"{PROD}/{path}": text for path, text in files.items()}
    loaded = read(plant(tmp_path, {**BASE, **over}, project=project), environment="prod")
    assert body(loaded) == {
        "displayName": "fast",
        "instruction": "HELP.",
        "tools": ["tools/end_session"],
        "modelSettings": {"model": "fast", "temperature": 0.1},
        "description": "In Rome",
    }


def test_a_patch_of_the_app_and_of_a_directive(tmp_path: Path) -> None:
    """The app goes by `app.patch.yaml`; directives are members of the file like any other."""
    loaded = prod(
        tmp_path,
        {
            "app.patch.yaml": "- {op: replace, path: /displayName, value: Shop}\n",
            "agents/front-desk.patch.yaml": "- {op: add, path: /$protect, value: true}\n",
        },
    )
    assert store(loaded).app.body["displayName"] == "Shop"
    assert resource(loaded, DESK).protect


@pytest.mark.parametrize(
    ("operation", "summary", "suggestion"),
    [
        (
            "{op: replace, path: /modelSettings/temprature, value: 1}",
            "`/modelSettings/temprature` does not exist in the file",
            "/modelSettings/temperature",
        ),
        ("{op: remove, path: /tools/1}", "`/tools/1` does not exist in the file", ""),
        (
            "{op: add, path: /model/name, value: x}",
            "`/model/name` does not exist in the file",
            "/modelSettings/name",
        ),
        ("{op: move, from: /tols, path: /childAgents}", "`/tols` does not exist in the file", "/tools"),
        (
            "{op: replace, path: /instruction/$file, value: x}",
            "`/instruction/$file` does not exist in the file",
            "",
        ),
        ("{op: replace, path: /tools/-, value: x}", "`/tools/-` does not exist in the file", ""),
        ("{op: add, path: /tools/5, value: x}", "`/tools/5` does not exist in the file", ""),
        ("{op: test, path: /displayName, value: Desk}", "the test of `/displayName` failed", ""),
        ("{op: move, from: /modelSettings, path: /modelSettings/x}", "`move` is not possible at", ""),
    ],
)
def test_an_operation_that_does_not_apply_is_an_error_at_its_line(
    tmp_path: Path, operation: str, summary: str, suggestion: str
) -> None:
    """A patch that is passed over would leave the base's value in production."""
    patch = f"- {{op: test, path: /displayName, value: Front desk}}\n- {operation}\n"
    ((code, place, said, near),) = what(prod(tmp_path, {"agents/front-desk.patch.yaml": patch}))
    assert (code, said[: len(summary)], near) == ("CES103", summary, suggestion)
    assert place.startswith(f"{FILE}.patch.yaml:2:")


@pytest.mark.parametrize(
    ("operation", "summary", "suggestion"),
    [
        ("{op: replce, path: /a, value: 1}", "unknown operation `replce`", "replace"),
        ("{path: /a}", "an operation needs an `op`", ""),
        ("{op: add, path: /a}", "`add` needs `value`", ""),
        ("{op: remove, path: /a, value: 1}", "`remove` does not take `value`", ""),
        ("{op: remove, path: a}", "`path` must be a JSON pointer (RFC 6901)", ""),
        ("{op: remove, path: /~2}", "`path` must be a JSON pointer (RFC 6901)", ""),
        ("remove", "an operation must be a mapping, but this is a string", ""),
    ],
)
def test_a_patch_of_the_wrong_form_is_an_error_at_its_place(
    tmp_path: Path, operation: str, summary: str, suggestion: str
) -> None:
    """RFC 6902, section 4."""
    ((code, place, said, near),) = what(prod(tmp_path, {"agents/front-desk.patch.yaml": f"- {operation}\n"}))
    assert (code, said, near) == ("CES102", summary, suggestion)
    assert place.startswith(f"{FILE}.patch.yaml:1:")


def test_every_finding_stands_where_the_value_stands(tmp_path: Path) -> None:
    """Base, partial file and patch each answer for their own lines."""
    files = {
        "agents/front-desk.yaml": "# prod\nmodelSettings:\n  temperature: warm\ntols: []\n",
        "agents/front-desk.patch.yaml": "- op: add\n  path: /tools/-\n  value: look-upp\n",
    }
    base = {**BASE, "agents/front-desk.yaml": AGENT + "description: [1]\n"}
    over = {f"{PROD}/{path}": text for path, text in files.items()}
    loaded = read(plant(tmp_path, {**base, **over}, project=ENVIRONMENTS), environment="prod")
    assert found(loaded) == [
        ("CES013", "apps/store/agents/front-desk.yaml:5:14"),
        ("CES021", f"{FILE}.patch.yaml:3:10"),
        ("CES013", f"{FILE}.yaml:3:16"),
        ("CES012", f"{FILE}.yaml:4:1"),
    ]
    by_place = {str(item.place): item for item in loaded.diagnostics}
    assert by_place[f"{FILE}.patch.yaml:3:10"].suggestion.startswith("`look-up`")
    assert by_place[f"{FILE}.yaml:3:16"].source_line == "  temperature: warm"


def test_findings_of_checks_stand_in_the_overlay_too(tmp_path: Path) -> None:
    """A check knows a path of the body, and the body knows which file it came from."""
    files = {"tools/look-up.yaml": 'pythonFunction:\n  pythonCode: "def look_up( pass"\n'}
    loaded = prod(tmp_path, files)
    places = {str(item.place) for item in loaded.diagnostics if item.code == "CES040"}
    assert len(places) == 1
    assert places.pop().startswith("environments/prod/apps/store/tools/look-up.yaml:2:")


def test_a_file_without_a_base_is_a_resource_of_that_environment(tmp_path: Path) -> None:
    """It is read as any file; references to it resolve there, and nowhere else."""
    files = {
        "tools/audit.yaml": TOOL.replace("look_up", "audit") + "$id: audit-log\n",
        "agents/front-desk.patch.yaml": "- {op: add, path: /tools/-, value: audit}\n",
        "guardrails/.keep": "",
    }
    loaded = prod(tmp_path, files)
    assert resource(loaded, "tools/audit").file == "environments/prod/apps/store/tools/audit.yaml"
    assert body(loaded)["tools"] == ["tools/look-up", "tools/audit"]
    assert store(loaded).folders == {"agents", "tools", "guardrails"}
    dev = prod(tmp_path, files, "dev")
    assert [item.address.within_app for item in store(dev).resources] == [DESK, "tools/look-up"]


def test_an_app_of_one_environment_alone(tmp_path: Path) -> None:
    """A folder with an app.yaml is an app."""
    root = plant(
        tmp_path,
        {**BASE, "/environments/prod/apps/try-out/app.yaml": "displayName: Try\n"},
        project=ENVIRONMENTS,
    )
    loaded = read(root, environment="prod")
    assert loaded.desired is not None
    assert [app.key for app in loaded.desired.apps] == ["store", "try-out"]
    assert [app.key for app in read(root, environment="dev").desired.apps] == ["store"]  # type: ignore[union-attr]


def test_exclude_leaves_a_resource_out(tmp_path: Path) -> None:
    """It is not a resource there, and a reference to it says why."""
    files = {"tools/look-up.yaml": "$exclude: true\n"}
    loaded = prod(tmp_path, files)
    assert [(item.code, item.summary, item.detail) for item in loaded.diagnostics if item.code < "CES040"] == [
        (
            "CES021",
            "`tools/look-up` is left out of this environment",
            "See environments/prod/apps/store/tools/look-up.yaml.",
        )
    ]
    loaded = prod(tmp_path, {**files, "agents/front-desk.yaml": "tools: []\n"})
    assert [item.address.within_app for item in store(loaded).resources] == [DESK]
    assert "tools" in store(loaded).folders, "so a live one is pruned"


def test_exclude_leaves_an_app_out(tmp_path: Path) -> None:
    """What else lies over it lies over nothing, and its texts are used elsewhere."""
    more: dict[str, str | bytes] = {"/apps/other/app.yaml": "displayName: Other\n"}
    over = {f"{PROD}/app.yaml": "$exclude: true\n"}
    loaded = read(plant(tmp_path, {**BASE, **more, **over}, project=ENVIRONMENTS), environment="prod")
    assert found(loaded) == []
    assert [app.key for app in loaded.desired.apps] == ["other"]  # type: ignore[union-attr]
    loaded = prod(tmp_path, {"agents/front-desk.yaml": "description: x\n"})
    assert [item[0] for item in what(loaded)] == ["CES101"]


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        ("$exclude: false\n", "`$exclude` must be true"),
        ("$exclude: true\ndescription: x\n", "`$exclude` must be the only key in the file"),
    ],
)
def test_exclude_says_one_thing(tmp_path: Path, text: str, summary: str) -> None:
    """Half an answer is none."""
    loaded = prod(tmp_path, {"agents/front-desk.yaml": text})
    assert [item.summary for item in loaded.diagnostics if item.code == "CES024"] == [summary]


def test_exclude_of_nothing_and_at_the_wrong_place(tmp_path: Path) -> None:
    """There must be something to leave out, and the base leaves nothing out."""
    loaded = prod(tmp_path, {"tools/lookup.yaml": "$exclude: true\n"})
    assert [item[0] for item in found(loaded)] == ["CES024"]
    root = plant(tmp_path / "base", {**BASE, "agents/front-desk.yaml": AGENT + "$exclude: true\n"})
    assert [item.summary for item in read(root).diagnostics if item.code == "CES023"] == [
        "`$exclude` belongs alone in a file in environments/"
    ]


@pytest.mark.parametrize(
    ("path", "text", "place", "suggestion"),
    [
        ("/environments/prd/apps/store/app.yaml", "displayName: X\n", "environments/prd", "prod"),
        (f"{PROD[:-6]}/stoer/agents/a.yaml", "a: 1\n", "environments/prod/apps/stoer", "store"),
        ("/environments/prod/app/store/app.yaml", "a: 1\n", "environments/prod/app", "apps"),
        ("/environments/prod/apps/app.yaml", "a: 1\n", "environments/prod/apps/app.yaml", ""),
        ("/environments/prod.yaml", "a: 1\n", "environments/prod.yaml", ""),
        (
            "/environments/prod/securitySetting.yaml",
            "a: 1\n",
            "environments/prod/securitySetting.yaml",
            "securitySettings.yaml",
        ),
        (
            f"{PROD}/agents/front-dek.patch.yaml",
            "- {op: remove, path: /tools}\n",
            "environments/prod/apps/store/agents/front-dek.patch.yaml",
            "front-desk.patch.yaml",
        ),
        (
            f"{PROD}/agents/front-deks.yaml",
            "modelSettings: {temperature: 1}\n",
            "environments/prod/apps/store/agents/front-deks.yaml",
            "front-desk.yaml",
        ),
    ],
)
def test_what_lies_over_nothing_is_an_error_with_the_nearest_name(
    tmp_path: Path, path: str, text: str, place: str, suggestion: str
) -> None:
    """A slip in a name must not leave production with the values of the base."""
    loaded = read(plant(tmp_path, {**BASE, path: text}, project=ENVIRONMENTS), environment="prod")
    assert [(code, at, near) for code, at, _, near in what(loaded)] == [("CES101", f"{place}:1:1", suggestion)]


def test_folders_of_kinds_and_loose_files_are_held_to_the_rules_of_the_tree(tmp_path: Path) -> None:
    """An unknown folder of an app, a YAML file beside app.yaml, a text that nothing uses."""
    files = {"agent/front-desk.yaml": "a: 1\n", "agents.yaml": "a: 1\n", "agents/old.md": "Old.\n"}
    assert found(prod(tmp_path, files)) == [
        ("CES008", "environments/prod/apps/store/agent:1:1"),
        ("CES008", "environments/prod/apps/store/agents.yaml:1:1"),
        ("CES011", "environments/prod/apps/store/agents/old.md:1:1"),
    ]


def test_what_a_location_has_once_is_layered_too(tmp_path: Path) -> None:
    """Merged, patched, left out, or there in one environment alone."""
    settings = "endpointControlPolicy: {enforcementScope: ALWAYS, allowedOrigins: ['https://a.example']}\n"
    over = "/environments/prod/securitySettings"
    base = {**BASE, "/securitySettings.yaml": settings}
    patch = "- {op: add, path: /endpointControlPolicy/allowedOrigins/-, value: 'https://b.example'}\n"
    loaded = read(
        plant(tmp_path / "1", {**base, f"{over}.patch.yaml": patch}, project=ENVIRONMENTS), environment="prod"
    )
    assert loaded.desired is not None, loaded.diagnostics
    (found_,) = loaded.desired.location_resources
    assert found_.body["endpointControlPolicy"]["allowedOrigins"] == ["https://a.example", "https://b.example"]
    root = plant(tmp_path / "2", {**base, f"{over}.yaml": "$exclude: true\n"}, project=ENVIRONMENTS)
    assert read(root, environment="prod").desired.location_resources == ()  # type: ignore[union-attr]
    root = plant(tmp_path / "3", {**BASE, f"{over}.yaml": settings}, project=ENVIRONMENTS)
    assert len(read(root, environment="prod").desired.location_resources) == 1  # type: ignore[union-attr]
    assert read(root, environment="dev").desired.location_resources == ()  # type: ignore[union-attr]


def test_the_base_is_not_changed_by_what_lies_over_it(tmp_path: Path) -> None:
    """An anchor of the base represents its own value wherever it is used."""
    base = "displayName: A\nmodelSettings: &m {model: fast}\n"
    files = {
        "agents/front-desk.yaml": base + "beforeModelCallbacks: []\n",
        f"{PROD}/agents/front-desk.yaml": "modelSettings: {model: slow}\n",
        f"{PROD}/agents/front-desk.patch.yaml": "- {op: add, path: /modelSettings/temperature, value: 1}\n",
    }
    root = plant(tmp_path, files, project=ENVIRONMENTS)
    assert body(read(root, environment="prod"))["modelSettings"] == {"model": "slow", "temperature": 1}
    assert body(read(root, environment="dev"))["modelSettings"] == {"model": "fast"}


def test_a_secret_in_clear_is_hidden_in_the_overlay(tmp_path: Path) -> None:
    """What is blotted out is the line of the file in which the value is."""
    key = "openApiTool: {apiAuthentication: {apiKeyConfig: {apiKeySecretVersion: hunter2-very-secret}}}\n"
    loaded = prod(tmp_path, {"tools/look-up.yaml": "pythonFunction: null\n" + key})
    shown = "".join(item.source_line + item.summary + item.detail for item in loaded.diagnostics)
    assert loaded.desired is None
    assert "hunter2" not in shown


def test_every_code_of_environments_explains_itself() -> None:
    """What, why and how to fix it."""
    assert [code.code for code in ENVIRONMENT_CODES] == [f"CES10{number}" for number in range(1, 6)]
    for code in ENVIRONMENT_CODES:
        assert CODES[code.code] is code
        assert "**Why.**" in code.page
        assert "**What to do.**" in code.page
        assert len(code.title) < 50
