"""Files into the desired state."""

from pathlib import Path

import pytest

from cesplan.config.tree.load import load
from cesplan.domain.address import Address, AppKey, Key, KindName
from cesplan.domain.desired import Desired
from cesplan.domain.field_path import FieldPath
from cesplan.domain.resource_name import Place
from cesplan.domain.settings import MaskDepth, Ownership, Settings
from cesplan.domain.value import Secret
from cesplan.workflow.validating import desired_of
from tests.unit.config.planting import AGENT, APP, PROJECT, found, plant, read, resource, store

EXAMPLES = Path(__file__).parents[4] / "examples"
TOOL = 'pythonFunction: {name: look_up, pythonCode: "def look_up(): pass"}\n'


def test_a_small_tree_becomes_the_desired_state(tmp_path: Path) -> None:
    """References are short, texts are taken in, and what the file says about itself is beside the body."""
    files = {
        "agents/front-desk.yaml": AGENT
        + "$id: 4f2c9e1a-6f0b-4c3e-9a55-0d6c1f1f4a10\n$protect: true\n$ignore: [description]\n"
        + "$ownership: declared\n"
        + "$extra: {newField: 1}\ninstruction: {$file: front-desk.md}\ntools: [lookup-order, end_session]\n",
        "agents/front-desk.md": "Help.\n",
        "tools/lookup-order.yaml": TOOL,
        "guardrails/.keep": "",
    }
    loaded = read(plant(tmp_path, files, app=APP + "rootAgent: front-desk\n"))
    app = store(loaded)
    assert app.key == "store"
    assert app.folders == {"agents", "tools", "guardrails"}
    assert app.app.body == {"displayName": "Store", "rootAgent": "agents/front-desk"}
    assert [str(item.address) for item in app.all()] == [
        "store",
        "store/agents/front-desk",
        "store/tools/lookup-order",
    ]
    agent = resource(loaded, "agents/front-desk")
    assert agent.address == Address(app=AppKey("store"), kind=KindName("agents"), key=Key("front-desk"))
    assert agent.body == {
        "displayName": "Front desk",
        "instruction": "Help.",
        "tools": ["tools/lookup-order", "tools/end_session"],
    }
    assert agent.file == "apps/store/agents/front-desk.yaml"
    assert agent.files == {"instruction": "apps/store/agents/front-desk.md"}
    assert agent.resource_id == "4f2c9e1a-6f0b-4c3e-9a55-0d6c1f1f4a10"
    assert (agent.protect, agent.ownership, agent.ignore) == (
        True,
        Ownership.DECLARED,
        (FieldPath(("description",)),),
    )
    assert agent.extra == {"newField": 1}
    assert loaded.files == 5


@pytest.mark.parametrize("name", ["minimal", "support-desk"])
def test_the_examples_have_no_errors(name: str) -> None:
    """What ships as an example is in order."""
    loaded = load(EXAMPLES / name, environ={})
    assert [item for item in found(loaded) if item[0] != "CES019"] == []
    assert loaded.desired is not None


def test_the_tree_is_found_from_any_folder_in_it(tmp_path: Path) -> None:
    """The nearest cesplan.yaml upwards is the root."""
    root = plant(tmp_path, {"agents/front-desk.yaml": AGENT})
    assert read(root / "apps/store/agents").root == root


def test_without_a_project_file_there_is_one_clear_error(tmp_path: Path) -> None:
    """The error names the command that helps."""
    loaded = read(tmp_path)
    assert [item.code for item in loaded.diagnostics] == ["CES005"]
    assert "cesplan init" in loaded.diagnostics[0].detail
    assert (loaded.tree, loaded.desired, loaded.root) == (None, None, None)


def test_one_error_anywhere_leaves_no_desired_state(tmp_path: Path) -> None:
    """Half a tree would delete the other half."""
    loaded = read(plant(tmp_path, {"agents/front-desk.yaml": AGENT + "colour: red\n"}))
    assert loaded.desired is None
    assert loaded.tree is not None


def test_settings_of_an_environment_override_those_at_the_top(tmp_path: Path) -> None:
    """Protection adds up; everything else is replaced."""
    project = PROJECT + (
        "apiVersion: v1beta\nprune: false\nprotect: [store]\nmaskDepth: top\n"
        "environments:\n  prod:\n    project: acme-prod\n    location: eu\n    endpoint: https://ces.example\n"
        "    protect: [store/deployments/*]\n    prune: true\n    adopt: true\n    stamp: false\n"
        "    verifyBeforeWrite: false\n  dev:\n"
    )
    root = plant(tmp_path, {}, project=project)
    prod = read(root, environment="prod").desired
    assert prod is not None
    assert prod.settings == Settings(
        place=Place(project="acme-prod", location="eu"),
        environment="prod",
        endpoint="https://ces.example",
        prune=True,
        adopt=True,
        stamp=False,
        mask_depth=MaskDepth.TOP,
        verify_before_write=False,
        protect=("store", "store/deployments/*"),
    )
    dev = read(root, environment="dev").desired
    assert dev is not None
    assert dev.settings == Settings(
        place=Place(project="acme-dev", location="us"),
        environment="dev",
        prune=False,
        mask_depth=MaskDepth.TOP,
        protect=("store",),
    )


def test_an_id_may_differ_between_environments(tmp_path: Path) -> None:
    """An environment that the map leaves out goes by the key."""
    project = PROJECT + "environments: {prod: {}, dev: {}}\n"
    root = plant(tmp_path, {"agents/front-desk.yaml": "$id: {prod: front-desk-7}\n" + AGENT}, project=project)
    assert resource(read(root, environment="prod"), "agents/front-desk").resource_id == "front-desk-7"
    assert resource(read(root, environment="dev"), "agents/front-desk").resource_id is None


def test_a_short_key_needs_an_id_in_each_environment_it_is_used_in(tmp_path: Path) -> None:
    """The key cannot be the id where the map has none."""
    project = PROJECT + "environments: {prod: {}, dev: {}}\n"
    root = plant(tmp_path, {"agents/desk.yaml": "$id: {prod: front-desk-7}\n" + AGENT}, project=project)
    assert found(read(root, environment="prod")) == []
    assert found(read(root, environment="dev")) == [("CES026", "apps/store/agents/desk.yaml:1:1")]


def test_absent_null_and_empty_stay_apart(tmp_path: Path) -> None:
    """null clears, empty values are values, absent fields are not in the body."""
    text = AGENT + "description: null\ninstruction: ''\ntools: []\nmodelSettings: {}\n"
    body = resource(read(plant(tmp_path, {"agents/front-desk.yaml": text})), "agents/front-desk").body
    assert body == {
        "displayName": "Front desk",
        "description": None,
        "instruction": "",
        "tools": [],
        "modelSettings": {},
    }


def test_free_form_values_are_kept_as_they_are(tmp_path: Path) -> None:
    """Numbers, nulls and nesting survive; a key with two `$` loses one; variables are put in."""
    text = (
        "displayName: First\nmessages:\n  - role: user\n    chunks:\n"
        "      - payload: {$$schema: x, a: [1, 1.5, null, no, {b: true}], c: '${name}!', d: {$var: limit}}\n"
        "      - text: '$${name} costs $5 at ${name}'\n"
    )
    project = PROJECT + "variables: {name: Ada, limit: 3}\n"
    body = resource(
        read(plant(tmp_path, {"examples/first-one.yaml": text}, project=project)), "examples/first-one"
    ).body
    assert body["messages"][0]["chunks"] == [
        {"payload": {"$schema": "x", "a": [1, 1.5, None, "no", {"b": True}], "c": "Ada!", "d": 3}},
        {"text": "${name} costs $5 at Ada"},
    ]


def test_null_in_metadata_clears_one_key(tmp_path: Path) -> None:
    """Metadata is owned key by key, so one key can be given up without naming the others."""
    app = store(read(plant(tmp_path, {}, app=APP + "metadata: {team: care, old: null}\n"))).app
    assert app.body["metadata"] == {"team": "care", "old": None}


@pytest.mark.parametrize(
    ("content", "value"),
    [
        (b"one\ntwo\n", "one\ntwo"),
        (b"one\ntwo", "one\ntwo"),
        (b"one\n\n", "one\n"),
        (b"one\r\ntwo\r\n", "one\r\ntwo"),
        (b"one\r", "one\r"),
        (b"\n", ""),
        (b"", ""),
        ("é ${name} $${x}\n".encode(), "é ${name} $${x}"),
    ],
)
def test_a_text_file_is_taken_in_as_it_stands(tmp_path: Path, content: bytes, value: str) -> None:
    """Line ends stay, exactly one final line break is not part of the value, and nothing is expanded."""
    files = {"agents/front-desk.yaml": AGENT + "instruction: {$file: desk.md}\n", "agents/desk.md": content}
    assert resource(read(plant(tmp_path, files)), "agents/front-desk").body["instruction"] == value


def test_a_text_file_is_expanded_when_asked(tmp_path: Path) -> None:
    """`$expand: true` beside `$file` puts variables in."""
    files = {
        "agents/front-desk.yaml": AGENT + "instruction: {$file: ../texts/desk.md, $expand: true}\n",
        "texts/desk.md": "Ask ${host} or $${x}.\n",
    }
    root = plant(tmp_path, files, project=PROJECT + "variables: {host: acme.example}\n")
    body = resource(read(root), "agents/front-desk").body
    assert body["instruction"] == "Ask acme.example or ${x}."


def test_files_inside_a_keyed_list_are_known_by_place_and_by_key(tmp_path: Path) -> None:
    """A plan names elements by their key, a check by their place: both find the file."""
    app = APP + (
        "evaluationPersonas:\n  - name: in-a-hurry\n    displayName: In a hurry\n"
        "    personality: {$file: hurry.md}\n    speechConfig: {speakingRate: 1.5}\n"
    )
    files = store(read(plant(tmp_path, {"hurry.md": "Quick.\n"}, app=app))).app.files
    assert files == {
        "evaluationPersonas[0].personality": "apps/store/hurry.md",
        "evaluationPersonas[name=evaluationPersonas/in-a-hurry].personality": "apps/store/hurry.md",
    }


def test_references_have_one_form(tmp_path: Path) -> None:
    """Keys, `<kind>/<key>` and `$ref` are the same; full names, plain words and the draft stay."""
    app = APP + "rootAgent: agents/front-desk\nlanguageSettings: {fallbackAction: escalate}\n"
    full = "projects/other/locations/eu/apps/elsewhere/tools/x"
    files = {
        "agents/front-desk.yaml": AGENT
        + f"tools: [lookup-order, tools/lookup-order, {{$ref: tools/lookup-order}}, '{full}',\n"
        + "  tools/@server-only]\n",
        "tools/lookup-order.yaml": TOOL,
        "scheduledEvaluationRuns/nightly.yaml": "displayName: Nightly\nrequest: {appVersion: versions/-}\n"
        "schedulingConfig: {frequency: DAILY, startTime: '2027-01-04T07:30:00Z'}\n",
    }
    loaded = read(plant(tmp_path, files, app=app))
    assert resource(loaded, "agents/front-desk").body["tools"] == [
        *["tools/lookup-order"] * 3,
        full,
        "tools/server-only",
    ]
    request = resource(loaded, "scheduledEvaluationRuns/nightly").body["request"]
    assert request == {"appVersion": "versions/-"}
    assert store(loaded).app.body["rootAgent"] == "agents/front-desk"
    assert store(loaded).app.body["languageSettings"] == {"fallbackAction": "escalate"}


def test_an_id_that_looks_like_a_key_keeps_its_mark(tmp_path: Path) -> None:
    """`tools/@x` is the id x, and not the file x.yaml, whose id is another."""
    files = {
        "agents/front-desk.yaml": AGENT + "tools: [tools/@lookup-order]\n",
        "tools/lookup-order.yaml": "$id: another-one\n" + TOOL,
    }
    assert resource(read(plant(tmp_path, files)), "agents/front-desk").body["tools"] == ["tools/@lookup-order"]


def test_personas_are_keys_of_the_app(tmp_path: Path) -> None:
    """Their names are resource names in the body of the app; schedules refer to them."""
    app = APP + (
        "evaluationPersonas:\n"
        "  - {name: in-a-hurry, displayName: Hurry, personality: Quick., speechConfig: {}}\n"
    )
    schedule = (
        "displayName: Nightly\nrequest: {personaRunConfigs: [{persona: in-a-hurry, taskCount: 1}]}\n"
        "schedulingConfig: {frequency: DAILY, startTime: '2027-01-04T07:30:00Z'}\n"
    )
    loaded = read(plant(tmp_path, {"scheduledEvaluationRuns/nightly.yaml": schedule}, app=app))
    assert store(loaded).app.body["evaluationPersonas"][0]["name"] == "evaluationPersonas/in-a-hurry"
    runs = resource(loaded, "scheduledEvaluationRuns/nightly").body["request"]["personaRunConfigs"]
    assert runs == [{"persona": "evaluationPersonas/in-a-hurry", "taskCount": 1}]


def test_v1_leaves_out_what_it_lacks_and_says_so(tmp_path: Path) -> None:
    """Left out of the state, and of the folders, so that nothing of it is pruned."""
    root = plant(
        tmp_path,
        {"evaluations/first-one.yaml": "displayName: First\n", "agents/front-desk.yaml": AGENT},
        project=PROJECT + "apiVersion: v1\n",
        app=APP + "evaluationSettings: {}\n",
    )
    app = store(read(root))
    assert app.folders == {"agents"}
    assert [item.address.within_app for item in app.resources] == ["agents/front-desk"]
    assert app.app.body == {"displayName": "Store"}
    desired = read(root).desired
    assert isinstance(desired, Desired)
    assert len(desired.notices) == 2


def test_a_plan_names_ten_of_many_like_notices(tmp_path: Path) -> None:
    """Those of another code are not lost behind them."""
    tools = {f"tools/tool-{number:02}.yaml": TOOL for number in range(13)}
    desired = read(plant(tmp_path, {**tools, "agents/front-desk.yaml": AGENT})).desired
    assert desired is not None
    assert desired.notices[0] == "nothing uses tools/tool-00"
    assert desired.notices[9:] == (
        "nothing uses tools/tool-09",
        "3 more notices like the last one: `cesplan validate` has them all",
    )


def test_security_settings_are_a_resource_of_the_location(tmp_path: Path) -> None:
    """They stand at the root, and only what they name is owned."""
    root = plant(tmp_path, {"/securitySettings.yaml": "endpointControlPolicy: {enforcementScope: ALWAYS}\n"})
    desired = read(root).desired
    assert desired is not None
    (settings,) = desired.location_resources
    assert str(settings.address) == "@us/securitySettings"
    assert settings.ownership is Ownership.DECLARED


def test_a_secret_is_never_a_text(tmp_path: Path) -> None:
    """Whole or inside a text, a secret variable stays wrapped and is not shown."""
    project = PROJECT + "variables: {key: {secret: true}, user: ada}\n"
    text = (
        "displayName: Chat\nchannelProfile: {channelType: API}\n"
        "instagramCredentials: {authCode: {$var: key}, conversationProfileId: '${user}-${key}'}\n"
    )
    root = plant(tmp_path, {"deployments/insta-chat.yaml": text}, project=project)
    loaded = read(root, environ={"CESPLAN_VAR_key": "hunter2"})
    credentials = resource(loaded, "deployments/insta-chat").body["instagramCredentials"]
    assert credentials == {
        "authCode": Secret(("key",), "hunter2"),
        "conversationProfileId": Secret(("key",), "ada-hunter2"),
    }
    assert "hunter2" not in repr(loaded)
    assert {item.text for item in desired_of(loaded).secrets} == {"hunter2", "ada-hunter2"}


def test_no_diagnostic_shows_a_secret(tmp_path: Path) -> None:
    """Neither the summary nor the source line, even of another finding in the same line."""
    text = "displayName: Chat\ninstagramCredentials: {authCode: s3cr3t, colour: red}\n"
    loaded = read(plant(tmp_path, {"deployments/insta-chat.yaml": text}))
    assert {"CES030", "CES012", "CES020"} <= {item.code for item in loaded.diagnostics}
    assert "s3cr3t" not in repr(loaded.diagnostics)
    assert "authCode: ••••••, colour" in loaded.diagnostics[-1].source_line


@pytest.mark.parametrize(
    ("environ", "variables", "value"),
    [
        ({}, {}, "from the top"),
        ({"CESPLAN_VAR_text": "from the process"}, {}, "from the process"),
        ({"CESPLAN_VAR_text": "from the process"}, {"text": "from the command line"}, "from the command line"),
    ],
)
def test_later_sources_of_a_variable_win(
    tmp_path: Path, environ: dict[str, str], variables: dict[str, str], value: str
) -> None:
    """cesplan.yaml, then the environment of the process, then the command line."""
    project = PROJECT + "variables: {text: from the top}\n"
    root = plant(tmp_path, {}, project=project, app=APP + "description: ${text}\n")
    loaded = read(root, environ=environ, variables=variables)
    assert store(loaded).app.body["description"] == value


@pytest.mark.parametrize(
    ("declared", "text", "value"),
    [
        ("1", "2", 2),
        ("1.5", "2", 2),
        ("1.5", "2.5", 2.5),
        ("true", "false", False),
        ("[a]", '["b", "c"]', ["b", "c"]),
        ("'1'", "true", "true"),
        ("{type: number}", "0.5", 0.5),
        ("{default: {a: 1}}", '{"b": 2}', {"b": 2}),
    ],
)
def test_texts_from_outside_are_read_as_the_declared_type(
    tmp_path: Path, declared: str, text: str, value: object
) -> None:
    """The type of a variable is that of its default."""
    example = "displayName: First\nmessages: [{role: user, chunks: [{payload: {x: {$var: it}}}]}]\n"
    root = plant(
        tmp_path, {"examples/first-one.yaml": example}, project=f"{PROJECT}variables: {{it: {declared}}}\n"
    )
    body = resource(read(root, variables={"it": text}), "examples/first-one").body
    assert body["messages"][0]["chunks"][0]["payload"]["x"] == value


def test_a_variable_may_come_from_outside_alone(tmp_path: Path) -> None:
    """What is not declared is a text; a name that nothing uses is refused."""
    root = plant(tmp_path, {}, app=APP + "description: ${region}\n")
    assert store(read(root, variables={"region": "12"})).app.body["description"] == "12"
    assert found(read(root, variables={"region": "12", "regoin": "x"})) == [("CES031", "None")]


def test_a_byte_order_mark_is_no_part_of_a_resource_file(tmp_path: Path) -> None:
    """Some editors write one."""
    root = plant(tmp_path, {"agents/front-desk.yaml": "\ufeffdisplayName: Front desk\n"})
    assert resource(read(root), "agents/front-desk").body == {"displayName": "Front desk"}


def test_a_resource_file_that_links_out_of_the_tree_is_refused(tmp_path: Path) -> None:
    """The same commit would mean different things on different machines."""
    root = plant(tmp_path / "tree", {"agents/.keep": ""})
    (tmp_path / "outside.yaml").write_text(AGENT)
    (root / "apps/store/agents/front-desk.yaml").symlink_to(tmp_path / "outside.yaml")
    assert found(read(root)) == [("CES001", "apps/store/agents/front-desk.yaml:1:1")]


def test_a_link_inside_the_tree_is_followed(tmp_path: Path) -> None:
    """Two apps may share a text by a link."""
    root = plant(
        tmp_path, {"agents/front-desk.yaml": AGENT + "instruction: {$file: desk.md}\n", "/all.md": "Hi\n"}
    )
    (root / "apps/store/agents/desk.md").symlink_to("../../../all.md")
    assert resource(read(root), "agents/front-desk").body["instruction"] == "Hi"


def test_a_folder_of_texts_is_welcome_once_a_text_is_taken_from_it(tmp_path: Path) -> None:
    """Any other folder that is not a kind is a mistake."""
    files = {"agents/front-desk.yaml": AGENT + "instruction: {$file: ../texts/a.md}\n", "texts/a.md": "A\n"}
    assert found(read(plant(tmp_path, files))) == []
    files["agents/front-desk.yaml"] = AGENT
    assert found(read(plant(tmp_path, files))) == [("CES008", "apps/store/texts:1:1")]


def test_the_same_tree_gives_the_same_state(tmp_path: Path) -> None:
    """Nothing depends on the order of files in a folder."""
    files = {f"agents/desk-{name}.yaml": AGENT for name in "zyxabc"}
    first = read(plant(tmp_path / "one", files)).desired
    second = read(plant(tmp_path / "two", dict(reversed(files.items())))).desired
    assert first == second


def test_a_misspelt_declaration_does_not_show_its_value(tmp_path: Path) -> None:
    """`secrt` may have meant `secret`, and other findings would show the value."""
    root = plant(
        tmp_path,
        {"tools/lookup-order.yaml": TOOL + "timeout: {$var: key}\n"},
        project=PROJECT + "variables: {key: {secrt: true}}\n",
    )
    loaded = read(root, environ={"CESPLAN_VAR_key": "hunter2"})
    assert found(loaded) == [
        ("CES013", "apps/store/tools/lookup-order.yaml:2:17"),
        ("CES029", "cesplan.yaml:4:19"),
    ]
    assert "hunter2" not in repr(loaded)


def test_an_environment_sets_only_variables_of_the_top(tmp_path: Path) -> None:
    """A misspelt one would leave the value of another environment in place."""
    project = (
        PROJECT + "variables: {apiHost: null}\nenvironments: {prod: {variables: {apiHots: acme.example}}}\n"
    )
    loaded = read(plant(tmp_path, {}, project=project), environment="prod")
    assert found(loaded) == [("CES029", "cesplan.yaml:5:35")]
    assert loaded.diagnostics[-1].suggestion == "apiHost"


def test_a_reference_by_id_to_a_file_of_the_tree_means_that_file(tmp_path: Path) -> None:
    """What is live is named by that key too: otherwise a plan would find a difference for ever."""
    files = {
        "agents/front-desk.yaml": AGENT + "tools: [tools/@1b2c3d4e, tools/@lookup-order, tools/@elsewhere]\n",
        "tools/find-order.yaml": "$id: {dev: 1b2c3d4e, prod: 5f6a7b8c}\n" + TOOL,
        "tools/lookup-order.yaml": TOOL,
    }
    project = PROJECT + "environments: {dev: {}, prod: {}}\n"
    loaded = {name: read(plant(tmp_path, files, project=project), environment=name) for name in ("dev", "prod")}
    tools = {name: resource(item, "agents/front-desk").body["tools"] for name, item in loaded.items()}
    assert tools == {
        "dev": ["tools/find-order", "tools/lookup-order", "tools/elsewhere"],
        "prod": ["tools/1b2c3d4e", "tools/lookup-order", "tools/elsewhere"],
    }


def test_extra_at_a_place_that_no_update_can_name_is_refused(tmp_path: Path) -> None:
    """It would be sent as a field whose name has brackets."""
    body = AGENT + '$extra:\n  "beforeModelCallbacks[0].newField": 1\n  newField: 2\n'
    loaded = read(plant(tmp_path, {"agents/front-desk.yaml": body}))
    assert found(loaded) == [("CES024", "apps/store/agents/front-desk.yaml:3:3")]
    summary = "`$extra` cannot set `beforeModelCallbacks[0].newField`: an update can name only fields"
    assert loaded.diagnostics[0].summary == summary
