"""
Merging on the emulator: a hand-written tree, an apply, edits in the console, and the tree afterwards.

`golden/merge.diff` is what git shows after twelve kinds of console edit: the edited lines, and nothing else.
"""

from pathlib import Path

import pytest

from cesplan.domain.choice import Choice
from cesplan.domain.errors import InvalidConfiguration, UsageError
from cesplan.domain.features.merge import Fate, MergeOutcome, Side
from tests.pull.conftest import APP, Project

GOLDEN = Path(__file__).parent / "golden" / "merge.diff"

CODE = "def before_model_callback(callback_context, llm_request):\n    return None\n"

TREE = {
    "cesplan.yaml": "cesplan: 1\nproject: acme-dev\nlocation: us\n"
    "variables: {host: api.example, stage: dev}\nenvironments:\n  dev: {}\n",
    "apps/help-desk/app.yaml": """\
# The help desk. Ask Ann before you change it.

displayName: "Help Desk"        # as people see it
rootAgent: {$ref: agents/front-desk}

modelSettings:
  # Careful: the judge is tuned to this.
  model:   'gemini-2.5-flash'
  temperature: 0.3              # was 0.7

languageSettings: {defaultLanguageCode: en-US, supportedLanguageCodes: [es-US, fr-CA]}   # in this order

variableDeclarations:
  # Who they are.
  - name: tier
    description: Level in the programme
    schema: {type: STRING, enum: [none, gold]}
  # Where they are.
  - name: city
    description: >-
      The city that the customer
      lives in.

      Empty until known.
    schema: &text
      type: STRING
  - {name: street, description: And the street, schema: *text}
""",
    "apps/help-desk/agents/front-desk.yaml": """\
displayName: Front Desk
description: &about Greets and passes on at https://${host}/${stage}.   # keep it short
instruction: {$file: front-desk.md}

tools:
  - look-up          # first of all
  # never forget
  - end_session
guardrails: [no-cards, be-kind]

beforeModelCallbacks:
  - description: 'counts turns'
    pythonCode: {$file: count.py}
  - pythonCode: |
      def before_model_callback(callback_context, llm_request):
          # says hello
          return None
transferRules:
  - childAgent: front-desk
    direction: PARENT_TO_CHILD
    deterministicTransfer: {expressionCondition: {expression: a == 1}}   # to itself
""",
    "apps/help-desk/agents/front-desk.md": "# You are\n\n- kind\n- brief\n- honest\n",
    "apps/help-desk/agents/count.py": CODE,
    "apps/help-desk/guardrails/no-cards.yaml": """\
displayName: No cards
enabled: true      # since the audit
contentFilter:
  matchType: REGEXP_MATCH
  bannedContents:
    - '[0-9]{16}'    # cards
    - "[0-9]{3}"     # codes
""",
    "apps/help-desk/guardrails/be-kind.yaml": "displayName: Be kind\nenabled: true\n",
    "apps/help-desk/tools/look-up.yaml": "pythonFunction: {name: look_up, pythonCode: {$file: look-up.py}}\n",
    "apps/help-desk/tools/look-up.py": 'def look_up(x: str) -> str:\n    """Look up."""\n    return x\n',
}  # fmt: skip


@pytest.fixture
def applied(project: Project) -> Project:
    """The tree, committed and applied."""
    return project.applied(TREE)


def verdicts(found: MergeOutcome) -> dict[str, str]:
    """`agents/front-desk description` → what becomes of it."""
    return {
        f"{resource.address.within_app} {item.path}": item.result.value
        for app in found.apps
        for resource in app.resources
        for item in resource.fields
    }


def edit_twelve_kinds(project: Project) -> None:
    """A scalar, an enum, a number, a switch, texts, code, sets, keyed, ordered and free-form values, a map."""
    agent, rail, app = project.read("agents/front-desk"), project.read("guardrails/no-cards"), project.read("")
    callbacks = agent["beforeModelCallbacks"]
    callbacks[0]["pythonCode"] = callbacks[0]["pythonCode"].replace("None", "None  # counted")
    callbacks[1]["pythonCode"] = callbacks[1]["pythonCode"].replace("says hello", "says good day")
    rules = agent["transferRules"]
    rules[0]["deterministicTransfer"]["expressionCondition"]["expression"] = "a == 2"
    project.edit(
        "agents/front-desk",
        "description,instruction,tools,beforeModelCallbacks,transferRules,modelSettings",
        {
            "description": agent["description"].replace("Greets", "Welcomes"),
            "instruction": agent["instruction"].replace("- brief", "- very brief"),
            "tools": [f"{APP}/tools/end_session", f"{APP}/tools/customize_response"],
            "beforeModelCallbacks": callbacks,
            "transferRules": rules,
            "modelSettings": {"model": "gemini-3"},
        },
    )
    declared = app["variableDeclarations"]
    declared[0]["schema"]["enum"] = ["none", "gold", "platinum"]
    declared[1]["description"] = declared[1]["description"].replace("Empty until known.", "Empty at first.")
    declared[2]["schema"] = {"type": "STRING", "default": "Main"}
    declared.append({"name": "zip", "description": "Code", "schema": {"type": "STRING"}})
    project.edit(
        "",
        "displayName,modelSettings.temperature,toolExecutionMode,languageSettings.supportedLanguageCodes,"
        "variableDeclarations",
        {
            "displayName": 'The "Help" Desk',
            "modelSettings": {"temperature": 0.9},
            "toolExecutionMode": "SEQUENTIAL",
            "languageSettings": {"supportedLanguageCodes": ["es-US", "pt-BR"]},
            "variableDeclarations": declared,
        },
    )
    rail["contentFilter"]["bannedContents"][1] = "[0-9]{4}"
    project.edit(
        "guardrails/no-cards",
        "enabled,contentFilter",
        {"enabled": False, "contentFilter": rail["contentFilter"]},
    )


def test_twelve_kinds_of_edit_change_exactly_their_lines(applied: Project) -> None:
    edit_twelve_kinds(applied)
    found = applied.merged()
    assert applied.git("diff", "--no-color", "-U1") == GOLDEN.read_text(encoding="utf-8")
    assert [app.base[:11] for app in found.apps] == ["the tree at"]
    assert not found.apps[0].is_open
    assert applied.plan().is_empty
    assert applied.merged().is_empty


def test_a_check_shows_the_same_and_writes_nothing(applied: Project) -> None:
    edit_twelve_kinds(applied)
    before = applied.files()
    checked = applied.merged(check=True)
    assert applied.files() == before
    done = applied.merged()
    assert (checked.written, checked.removed, verdicts(checked)) == (done.written, done.removed, verdicts(done))
    assert not checked.is_empty


def test_nothing_to_merge_touches_nothing(applied: Project) -> None:
    before = applied.files()
    assert applied.merged().is_empty
    assert applied.files() == before


def test_what_only_the_tree_changed_is_kept(applied: Project) -> None:
    applied.replace("apps/help-desk/app.yaml", "temperature: 0.3", "temperature: 0.4")
    applied.edit("agents/front-desk", "instruction", {"instruction": "New."})
    assert verdicts(applied.merged()) == {
        "apps/help-desk modelSettings.temperature": "kept",
        "agents/front-desk instruction": "taken",
    }
    assert "temperature: 0.4" in applied.files()["apps/help-desk/app.yaml"]
    assert applied.files()["apps/help-desk/agents/front-desk.md"] == "New.\n"


@pytest.mark.parametrize(
    ("winner", "text", "is_open"),
    [(Side.NEITHER, "- tree", True), (Side.TREE, "- tree", False), (Side.LIVE, "- live", False)],
)
def test_a_conflict_stays_in_the_tree_until_somebody_decides(
    applied: Project, winner: Side, text: str, is_open: bool
) -> None:
    applied.replace("apps/help-desk/agents/front-desk.md", "- brief", "- tree")
    old = applied.read("agents/front-desk")["instruction"]
    applied.edit("agents/front-desk", "instruction", {"instruction": old.replace("- brief", "- live")})
    found = applied.merged(winner=winner)
    assert verdicts(found) == {"agents/front-desk instruction": "conflict"}
    assert text in applied.files()["apps/help-desk/agents/front-desk.md"]
    assert found.apps[0].is_open is is_open


def test_an_open_conflict_names_who_edited_live(applied: Project) -> None:
    applied.replace("apps/help-desk/agents/front-desk.md", "- brief", "- tree")
    applied.edit("agents/front-desk", "instruction", {"instruction": "live"})
    applied.edit("agents/front-desk", "description", {"description": "Later, and not what collides."})
    (app,) = applied.merged().apps
    (((address, path), edit),) = app.edits.items()
    assert (str(address), path) == ("help-desk/agents/front-desk", "instruction")
    first, second = reversed(applied.log("agents/front-desk")[:2])
    assert (edit.author, edit.time) == (first["author"], first["createTime"])
    assert edit.time < second["createTime"]


def test_whole_resources_come_and_go(applied: Project) -> None:
    applied.create("tools/parcel-tool", {"clientFunction": {"name": "parcel", "description": "Where it is."}})
    applied.edit("agents/front-desk", "guardrails", {"guardrails": [f"{APP}/guardrails/no-cards"]})
    applied.delete("guardrails/be-kind")
    found = applied.merged()
    assert {(item.address.within_app, item.fate) for item in found.apps[0].fates} == {
        ("guardrails/be-kind", Fate.DELETED),
        ("tools/parcel-tool", Fate.CREATED),
    }
    files = applied.files()
    assert "apps/help-desk/guardrails/be-kind.yaml" not in files
    assert files["apps/help-desk/tools/parcel-tool.yaml"] == (
        "clientFunction:\n  name: parcel\n  description: Where it is.\n"
    )
    assert "guardrails: [no-cards]\n" in files["apps/help-desk/agents/front-desk.yaml"]
    assert applied.plan().is_empty


def test_a_resource_goes_with_its_texts_unless_others_use_them(applied: Project) -> None:
    applied.edit("agents/front-desk", "tools", {"tools": [f"{APP}/tools/end_session"]})
    applied.delete("tools/look-up")
    assert applied.merged().removed == ("apps/help-desk/tools/look-up.py", "apps/help-desk/tools/look-up.yaml")


def test_only_what_was_chosen_is_merged(applied: Project) -> None:
    edit_twelve_kinds(applied)
    found = applied.merged(choice=Choice(only=("guardrails/*",)))
    assert found.written == ("apps/help-desk/guardrails/no-cards.yaml",)


@pytest.mark.parametrize("field", ["only", "exclude"])
def test_a_target_that_does_not_exist_is_an_error_that_says_what_was_meant(
    applied: Project, field: str
) -> None:
    """As in a plan; what is only live, or only in the tree, exists."""
    applied.create("tools/parcel-tool", {"clientFunction": {"name": "parcel", "description": "Where it is."}})
    edit_twelve_kinds(applied)
    before = applied.files()
    with pytest.raises(
        UsageError, match=r"`guardrails/no-card` matches no resource.* Did you mean `guardrails/no-cards`"
    ):
        applied.merged(choice=Choice(**{field: ("guardrails/no-card",)}))
    assert applied.files() == before
    for known in ("tools/parcel-tool", "guardrails/be-kind", "help-desk/agents/*"):
        applied.merged(choice=Choice(**{field: (known,)}), check=True)


def test_a_rule_that_live_puts_first_does_not_get_the_comment_of_another(applied: Project) -> None:
    """Neither does the one that stays when the rule with the comment goes."""
    path = "apps/help-desk/agents/front-desk.yaml"
    applied.replace(
        path, "  - childAgent: front-desk\n", "  # Back to the start.\n  - childAgent: front-desk\n"
    )
    rules = applied.read("agents/front-desk")["transferRules"]
    condition = {"expressionCondition": {"expression": "b == 7"}}
    first = {**rules[0], "direction": "CHILD_TO_PARENT", "deterministicTransfer": condition}
    applied.edit("agents/front-desk", "transferRules", {"transferRules": [first, *rules]})
    applied.merged()
    text = applied.files()[path]
    assert "        expression: b == 7\n  # Back to the start.\n  - childAgent: front-desk\n" in text
    applied.commit()
    applied.apply()
    applied.edit("agents/front-desk", "transferRules", {"transferRules": [first]})
    applied.merged()
    text = applied.files()[path]
    assert "Back to the start." not in text
    assert text.endswith("        expression: b == 7\n")


def test_rules_that_each_side_put_in_at_its_own_end_are_both_there(applied: Project) -> None:
    path = "apps/help-desk/agents/front-desk.yaml"
    rule = (
        "  - {{childAgent: front-desk, direction: PARENT_TO_CHILD, "
        "deterministicTransfer: {{expressionCondition: {{expression: {}}}}}}}"
    )
    old = applied.files()[path]
    head = old[: old.index("transferRules:\n") + len("transferRules:\n")]
    lines = [rule.format(name) for name in ("one", "two", "three")]
    applied.write({path: head + "\n".join(lines) + "\n"})
    applied.commit()
    applied.apply()
    rules = applied.read("agents/front-desk")["transferRules"]
    condition = {"expressionCondition": {"expression": "live"}}
    added = {**rules[0], "deterministicTransfer": condition}
    applied.edit("agents/front-desk", "transferRules", {"transferRules": [*rules[:2], added]})
    applied.write({path: head + "\n".join([rule.format("tree"), "  # about one", *lines]) + "\n"})
    assert verdicts(applied.merged()) == {"agents/front-desk transferRules": "merged"}
    text = applied.files()[path].removeprefix(head)
    assert text.startswith("\n".join([rule.format("tree"), "  # about one", *lines[:2]]) + "\n  - ")
    assert "three" not in text
    applied.apply()
    found = applied.read("agents/front-desk")["transferRules"]
    conditions = [item["deterministicTransfer"]["expressionCondition"] for item in found]
    assert [item["expression"] for item in conditions] == ["tree", "one", "two", "live"]


def test_what_a_variable_holds_is_left_for_people(applied: Project) -> None:
    applied.edit("agents/front-desk", "description", {"description": "Greets and passes on at nowhere."})
    before = applied.files()
    found = applied.merged()
    assert [*found.apps[0].refused] == [("help-desk/agents/front-desk", "description")]
    assert found.apps[0].is_open
    assert applied.files() == before


def test_a_tree_with_errors_is_not_merged_into(applied: Project) -> None:
    applied.replace("apps/help-desk/app.yaml", "rootAgent", "rotAgent")
    with pytest.raises(InvalidConfiguration):
        applied.merged()


def test_an_app_that_the_tree_does_not_have_is_not_merged(applied: Project) -> None:
    applied.seed({"": {"displayName": "Other"}}, app=APP.replace("help-desk", "other-app"))
    with pytest.raises(UsageError, match="does not have the app"):
        applied.merged(app="other-app")


def test_ids_are_filled_in_for_the_environment(project: Project) -> None:
    """A tree that was applied elsewhere finds resources by display name; the merge writes their ids down."""
    machine = "1b2c3d4e-5f60-4718-8293-a4b5c6d7e8f9"
    project.write(
        {
            "cesplan.yaml": TREE["cesplan.yaml"],
            "apps/help-desk/app.yaml": "displayName: Help Desk\n",
            "apps/help-desk/agents/front-desk.yaml": "# first\n$id: {prod: prod-1}\ndisplayName: Front Desk\n",
            "apps/help-desk/agents/helper.yaml": "# second\ndisplayName: Helper\n",
        }
    )
    project.replace("cesplan.yaml", "  dev: {}\n", "  dev: {}\n  prod: {}\n")
    project.seed({"": {"displayName": "Help Desk"}, f"agents/{machine}": {"displayName": "Front Desk"}})
    project.seed({"agents/22222222-0000-4000-8000-000000000002": {"displayName": "Helper"}})
    found = project.merged(environment="dev")
    files = project.files()
    assert files["apps/help-desk/agents/front-desk.yaml"] == (
        f"# first\n$id: {{prod: prod-1, dev: {machine}}}\ndisplayName: Front Desk\n"
    )
    assert files["apps/help-desk/agents/helper.yaml"] == (
        "# second\n$id:\n  dev: 22222222-0000-4000-8000-000000000002\ndisplayName: Helper\n"
    )
    assert len(found.apps[0].ids) == 2
    assert project.plan("dev", adopt=True).is_empty


@pytest.mark.parametrize("winner", [Side.TREE, Side.NEITHER])
def test_a_resource_that_the_tree_keeps_keeps_its_references(applied: Project, winner: Side) -> None:
    """Deleted live by force, changed in the tree: the references that went with it are not a separate edit."""
    applied.replace("apps/help-desk/tools/look-up.py", "Look up.", "Look it up.")
    agent = applied.read("agents/front-desk")
    tools = [name for name in agent["tools"] if not name.endswith("/look-up")]
    applied.edit("agents/front-desk", "tools,description", {"tools": tools, "description": "Live."})
    applied.delete("tools/look-up")
    found = applied.merged(winner=winner)
    files = applied.files()
    assert "- look-up          # first of all\n" in files["apps/help-desk/agents/front-desk.yaml"]
    assert files["apps/help-desk/tools/look-up.yaml"] == TREE["apps/help-desk/tools/look-up.yaml"]
    assert verdicts(found)["agents/front-desk tools"] == "kept"
    if winner is Side.TREE:
        assert "tools/look-up" in {item.address.within_app for item in applied.plan().operations}


def test_a_resource_that_live_keeps_comes_back_with_its_references(applied: Project) -> None:
    """Dropped from the tree, changed live, and live wins: the agent has its tool again."""
    for path in ("tools/look-up.yaml", "tools/look-up.py"):
        (applied.root / "apps/help-desk" / path).unlink()
    applied.replace("apps/help-desk/agents/front-desk.yaml", "  - look-up          # first of all\n", "")
    code = applied.read("tools/look-up")["pythonFunction"]
    applied.edit(
        "tools/look-up", "pythonFunction", {"pythonFunction": {**code, "pythonCode": code["pythonCode"] + "\n"}}
    )
    applied.merged(winner=Side.LIVE)
    files = applied.files()
    assert "- look-up" in files["apps/help-desk/agents/front-desk.yaml"]
    assert applied.plan().is_empty


HELPER = "displayName: Helper\ndescription: Helps.\ntools: [look-up]\n"


@pytest.mark.parametrize("winner", [Side.NEITHER, Side.LIVE, Side.TREE])
def test_what_the_tree_still_refers_to_is_not_removed(applied: Project, winner: Side) -> None:
    """A tool deleted live that a new file refers to stays, also with --theirs, and live is not decided over."""
    applied.write({"apps/help-desk/agents/helper.yaml": HELPER})
    applied.edit("agents/front-desk", "tools", {"tools": [f"{APP}/tools/end_session"]})
    applied.delete("tools/look-up")
    before = applied.files()
    (app,) = applied.merged(winner=winner).apps
    fate = {item.address.within_app: item for item in app.fates}["tools/look-up"]
    assert (fate.fate, fate.referrers) == (Fate.DELETED_LIVE, ("agents/helper",))
    assert fate.is_open is (winner is not Side.TREE)
    assert applied.files() == before


PERSONAS = """
evaluationPersonas:
  - {name: calm, displayName: Calm, personality: Takes time.}
  - {name: hasty, displayName: Hasty, personality: Has none.}
"""
NIGHTLY = """\
displayName: Nightly
request:
  personaRunConfigs: [{persona: hasty, taskCount: 2}]
schedulingConfig: {frequency: WEEKLY, startTime: '2026-03-01T09:00:00Z', daysOfWeek: [1]}
"""


@pytest.mark.parametrize("winner", [Side.NEITHER, Side.LIVE, Side.TREE])
def test_a_persona_that_a_schedule_names_is_not_removed(project: Project, winner: Side) -> None:
    """The service lets a persona go that others name, and a tree may not; the other persona goes."""
    app = TREE["apps/help-desk/app.yaml"] + PERSONAS
    nightly = "apps/help-desk/scheduledEvaluationRuns/nightly.yaml"
    project.write({**TREE, "apps/help-desk/app.yaml": app, nightly: NIGHTLY})
    project.commit()
    project.apply()
    project.edit("", "evaluationPersonas", {"evaluationPersonas": []})
    project.edit("scheduledEvaluationRuns/nightly", "displayName", {"displayName": "At night"})
    found = project.merged(winner=winner)
    (kept,) = (
        field
        for item in found.apps[0].resources
        for field in item.fields
        if str(field.path) == "evaluationPersonas[name=evaluationPersonas/hasty]"
    )
    assert kept.why == "scheduledEvaluationRuns/nightly still refers to it"
    assert kept.is_open is (winner is not Side.TREE)
    files = project.files()
    assert "name: hasty" in files["apps/help-desk/app.yaml"]
    assert "name: calm" not in files["apps/help-desk/app.yaml"]
    assert files[nightly] == NIGHTLY.replace("Nightly", "At night")
    assert [(str(item.address), item.action) for item in project.plan().shown] == [("help-desk", "update")]
