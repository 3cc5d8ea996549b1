"""`cesplan convert`, and exports where a tree is expected."""

import json
import zipfile
from pathlib import Path

import pytest

from cesplan.emulator import EmbeddedEmulator
from tests.cli.conftest import Run, Tree

TO = ("--project", "acme-dev", "--location", "us", "--app-id", "help-desk")


def test_a_tree_becomes_an_export_and_a_tree_again(tree: Tree, cesplan: Run) -> None:
    """There and back says the same."""
    there = cesplan("convert", ".", "out/Help_desk.zip")
    assert (there.code, there.err) == (0, "")
    assert there.out.startswith("Written to out/Help_desk.zip: 6 files.\n")
    with zipfile.ZipFile("out/Help_desk.zip") as archive:
        assert sorted(archive.namelist()) == [
            "Help_desk/agents/Front_desk/Front_desk.json",
            "Help_desk/agents/Front_desk/instruction.txt",
            "Help_desk/app.json",
            "Help_desk/guardrails/No_cards/No_cards.json",
            "Help_desk/tools/lookup_order/lookup_order.json",
            "Help_desk/tools/lookup_order/python_function/python_code.py",
        ]
        assert archive.read("Help_desk/tools/lookup_order/lookup_order.json").decode() == (
            '{\n  "name": "lookup-order",\n  "pythonFunction": {\n    "name": "lookup_order",\n'
            '    "pythonCode": "tools/lookup_order/python_function/python_code.py",\n'
            '    "description": "Find an order."\n  },\n'
            '  "displayName": "lookup_order"\n}'
        )
    back = cesplan("convert", "out/Help_desk.zip", "back", "--project", "acme-dev", "--app-id", "help-desk")
    assert back.code == 0, back.err
    assert Path("back/apps/help-desk/agents/front-desk.yaml").read_text() == (
        "displayName: Front desk\ninstruction: {$file: front-desk.md}\ntools: [lookup-order]\n"
    )
    assert Path("back/apps/help-desk/tools/lookup-order.py").read_text() == (
        Path("apps/help-desk/tools/lookup-order.py").read_text()
    )


def test_an_export_is_planned_and_applied_in_place_of_a_tree(
    tree: Tree, cesplan: Run, service: EmbeddedEmulator
) -> None:
    """What a tree made is what its export asks for: nothing is left to do, by ZIP and by folder."""
    assert cesplan("apply", "--auto-approve").code == 0
    cesplan("convert", ".", "Help_desk.zip")
    cesplan("convert", ".", "unpacked", "--style", "yaml")
    for path in ("Help_desk.zip", "unpacked"):
        planned = cesplan("plan", "--from", path, *TO, "--detailed-exitcode")
        assert (planned.code, "No changes" in planned.out) == (0, True), planned.out


def test_a_folder_that_is_an_export_needs_no_option_but_its_place(
    tree: Tree, cesplan: Run, service: EmbeddedEmulator
) -> None:
    """`-C` into an export; what would be typed next says the same."""
    cesplan("convert", ".", "unpacked")
    Path("cesplan.yaml").unlink()
    planned = cesplan("plan", "-C", "unpacked", *TO)
    assert planned.code == 0, planned.err
    assert "cesplan apply -C unpacked --project acme-dev --location us --app-id help-desk" in planned.out
    assert cesplan("apply", "-C", "unpacked", *TO, "--auto-approve").code == 0
    assert cesplan("plan", "-C", "unpacked", *TO, "--detailed-exitcode").code == 0


def test_an_export_without_a_place_is_told_what_is_missing(tree: Tree, cesplan: Run) -> None:
    cesplan("convert", ".", "Help_desk.zip")
    ran = cesplan("validate", "--from", "Help_desk.zip")
    assert ran.code == 7
    assert "error[CES039] the project is missing" in ran.out
    assert "error[CES039] the location is missing" in ran.out


def test_an_export_has_no_variables(tree: Tree, cesplan: Run) -> None:
    cesplan("convert", ".", "Help_desk.zip")
    ran = cesplan("validate", "--from", "Help_desk.zip", *TO, "--var", "a=b")
    assert (ran.code, "remove --var" in ran.err) == (64, True)


SCHEMA = """\
openapi: 3.0.3
info: {title: Orders, version: "1"}
servers:
- url: $env_var
paths:
  /orders:
    get: {operationId: list_orders, responses: {"200": {description: They cost $5.}}}
"""
KEY = {"keyName": "$env_var", "apiKeySecretVersion": "$env_var", "requestLocation": "HEADER"}


def of(stage: str) -> dict[str, object]:
    """What an environment file says."""
    key = {"keyName": "X-Key", "apiKeySecretVersion": f"projects/acme-{stage}/secrets/orders/versions/1"}
    toolset = {"url": f"https://{stage}.acme.example", "apiAuthentication": {"apiKeyConfig": key}}
    return {
        "app": {"loggingSettings": {"audioRecordingConfig": {"gcsBucket": f"gs://acme-{stage}"}}},
        "toolsets": {"Orders": {"openApiToolset": toolset}},
    }


@pytest.fixture
def staged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An export that people keep for three environments."""
    monkeypatch.chdir(tmp_path)
    toolset = {"openApiSchema": "toolsets/Orders/open_api_toolset/open_api_schema.yaml"}
    files: dict[str, object] = {
        "app.json": {
            "displayName": "Shop",
            "loggingSettings": {"audioRecordingConfig": {"gcsBucket": "$env_var"}},
        },
        "toolsets/Orders/Orders.json": {
            "displayName": "Orders",
            "openApiToolset": toolset | {"apiAuthentication": {"apiKeyConfig": KEY}},
        },
        "toolsets/Orders/open_api_toolset/open_api_schema.yaml": SCHEMA,
        "environment.json": of("dev"),
        "environments/staging.json": of("staging"),
        "environment.prod.json": of("prod"),
    }
    for path, content in files.items():
        (tmp_path / "staged" / path).parent.mkdir(parents=True, exist_ok=True)
        text = content if isinstance(content, str) else json.dumps(content)
        (tmp_path / "staged" / path).write_text(text, encoding="utf-8")
    return tmp_path / "staged"


def bucket(cesplan: Run, *words: str) -> str:
    """The bucket that a command's tree would give the app."""
    ran = cesplan("convert", *words, "one", "--layout", "export")
    assert ran.code == 0, ran.err
    found = json.loads(Path("one/environment.json").read_text())
    value = found["app"]["loggingSettings"]["audioRecordingConfig"]["gcsBucket"]
    assert isinstance(value, str)
    return value


def test_one_of_several_environment_files_is_chosen(staged: Path, cesplan: Run) -> None:
    """By the name of the environment, by a path in the export, or by a file on this machine."""
    Path("mine.json").write_text(json.dumps(of("mine")))
    assert bucket(cesplan, str(staged)) == "gs://acme-dev"
    assert bucket(cesplan, str(staged), "-e", "prod") == "gs://acme-prod"
    assert bucket(cesplan, str(staged), "-e", "staging") == "gs://acme-staging"
    assert (
        bucket(cesplan, str(staged), "--environment-file", "environments/staging.json") == "gs://acme-staging"
    )
    assert bucket(cesplan, str(staged), "--environment-file", "mine.json") == "gs://acme-mine"
    ran = cesplan("validate", "--from", str(staged), *TO, "-e", "pord")
    assert ran.code == 7
    assert "error[CES007] the export has no environment `pord`" in ran.err + ran.out


def test_environment_files_become_environments_and_environment_files_again(staged: Path, cesplan: Run) -> None:
    """No value is baked in: neither on the way to a tree, the URL of a server included, nor on the way back."""
    there = cesplan("convert", str(staged), "native", "--project", "acme-dev", "--app-id", "shop-app")
    assert there.code == 0, there.err
    assert (
        "".join(Path("native/cesplan.yaml").read_text().partition("variables:")[1:])
        == """\
variables:
  shopAppGcsBucket: gs://acme-dev
  ordersKeyName: X-Key
  ordersApiKeySecretVersion: projects/acme-dev/secrets/orders/versions/1
  ordersUrl: https://dev.acme.example
environments:
  prod:
    variables:
      shopAppGcsBucket: gs://acme-prod
      ordersApiKeySecretVersion: projects/acme-prod/secrets/orders/versions/1
      ordersUrl: https://prod.acme.example
  staging:
    variables:
      shopAppGcsBucket: gs://acme-staging
      ordersApiKeySecretVersion: projects/acme-staging/secrets/orders/versions/1
      ordersUrl: https://staging.acme.example
"""
    )
    document = Path("native/apps/shop-app/toolsets/orders.openapi.yaml").read_text()
    assert document == SCHEMA.replace("$env_var", "${ordersUrl}") + "\n"
    back = cesplan("convert", "native", "back")
    assert back.code == 0, back.err
    assert Path("back/toolsets/Orders/open_api_toolset/open_api_schema.yaml").read_text() == SCHEMA
    for stage, name in (("dev", "environment.json"), ("prod", "environment.prod.json")):
        assert json.loads(Path("back", name).read_text()) == of(stage)
    assert json.loads(Path("back/environment.staging.json").read_text()) == of("staging")
    assert "differs there" not in back.out


def test_what_is_a_warning_in_an_export_is_silenced_in_its_tree(staged: Path, cesplan: Run) -> None:
    """`convert` ends with 0 where `validate` does."""
    tool = {"pythonFunction": {"name": "look_up", "pythonCode": "def other():\n    pass\n"}}
    (staged / "tools/look_up").mkdir(parents=True)
    (staged / "tools/look_up/look_up.json").write_text(json.dumps(tool))
    assert cesplan("validate", "--from", str(staged), *TO).code == 0
    ran = cesplan("convert", str(staged), "native", "--project", "acme-dev")
    assert ran.code == 0, ran.err
    assert (
        "$silence:\n  CES044: the export is like this\n"
        in Path("native/apps/shop/tools/look-up.yaml").read_text()
    )
    assert cesplan("validate", "-C", "native").code == 0


def test_what_does_not_fit_is_said(tree: Tree, cesplan: Run) -> None:
    """Deployments, versions and directives about handling the app have no place in an export."""
    tree.write(
        "apps/help-desk/deployments/web.yaml",
        "$id: web-chat\ndisplayName: Web\n$protect: true\nchannelProfile: {}\n",
    )
    tree.replace("apps/help-desk/guardrails/no-cards.yaml", "enabled: true", "enabled: true\n$ignore: [action]")
    tree.replace("apps/help-desk/app.yaml", "displayName", "$silence: {CES082: not yet}\ndisplayName")
    ran = cesplan("convert", ".", "out", "--format", "json")
    assert ran.code == 0, ran.err
    assert json.loads(ran.out)["left_out"] == [
        "help-desk: `$silence`",
        "help-desk/guardrails/no-cards: `$ignore`",
        "help-desk/deployments/web",
    ]


def test_nothing_is_written_over(tree: Tree, cesplan: Run) -> None:
    """A target that is something else is refused before anything is written."""
    tree.write("notes/todo.txt", "tea")
    assert cesplan("convert", ".", "notes").code == 64
    assert [path.name for path in Path("notes").iterdir()] == ["todo.txt"]
    cesplan("convert", ".", "Help_desk.zip")
    assert cesplan("convert", "Help_desk.zip", ".", "--project", "acme-dev").code == 64


def test_an_older_export_is_brought_up_to_date_and_what_is_gone_is_named(tree: Tree, cesplan: Run) -> None:
    cesplan("convert", ".", "out")
    tree.remove("apps/help-desk/guardrails/no-cards.yaml")
    tree.replace("apps/help-desk/app.yaml", "guardrails: [no-cards]\n", "")
    ran = cesplan("convert", ".", "out", "--format", "json")
    told = json.loads(ran.out)
    assert told["written"] == ["app.json"]
    assert told["left_over"] == ["guardrails/No_cards/No_cards.json"]


@pytest.mark.parametrize("arguments", [(".", "out", "--layout", "native"), (".", "out", "--app", "shop")])
def test_what_makes_no_sense_is_wrong_usage(arguments: tuple[str, ...], tree: Tree, cesplan: Run) -> None:
    assert cesplan("convert", *arguments).code == 64
    assert not Path("out").exists()


def test_a_broken_export_is_not_converted(tree: Tree, cesplan: Run) -> None:
    tree.write("broken/app.json", '{"displayName": "Help desk", "rootAgent": "Nobody"}')
    ran = cesplan("convert", "broken", "out", "--project", "acme-dev")
    assert ran.code == 7
    assert "no agents with the name `Nobody`" in ran.err
    assert not Path("out").exists()


def test_a_live_app_is_pulled_as_an_export(tree: Tree, cesplan: Run, service: EmbeddedEmulator) -> None:
    """Into a ZIP or a folder, of a tree's app or any other; twice changes nothing; it plans to nothing."""
    assert cesplan("apply", "--auto-approve").code == 0
    pulled = cesplan("pull", "help-desk", "--layout", "export", "--into", "Help_desk.zip")
    assert (pulled.code, pulled.err) == (0, "")
    assert cesplan("plan", "--from", "Help_desk.zip", *TO, "--detailed-exitcode").code == 0
    where = ("--project", "acme-dev", "--into", "out", "--format", "json")
    first = cesplan("pull", "Help desk", "--layout", "export", *where)
    again = cesplan("pull", "Help desk", "--layout", "export", *where)
    assert len(json.loads(first.out)["written"]) == 6
    assert json.loads(again.out)["written"] == []
    assert Path("out/guardrails/No_cards/No_cards.json").read_text() == (
        '{\n  "name": "no-cards",\n  "displayName": "No cards",\n  "enabled": true,\n  "action": {\n'
        '    "respondImmediately": {\n      "responses": [{\n        "text": "No cards please."\n      }]\n'
        '    }\n  },\n  "contentFilter": {\n    "bannedContents": ["[0-9]{16}"],\n'
        '    "matchType": "REGEXP_MATCH"\n  }\n}'
    )


def test_an_export_is_pulled_whole(tree: Tree, cesplan: Run) -> None:
    assert cesplan("pull", "help-desk", "--layout", "export", "--only", "agents/*").code == 64


def test_what_a_tree_has_no_place_for_is_kept_beside_it(tree: Tree, cesplan: Run) -> None:
    """Folders that nobody knows come back from a tree; notes become comments; values become variables."""
    cesplan("convert", ".", "out")
    body = json.loads(Path("out/app.json").read_text())
    body["_comment_owner"] = "Ask the desk."
    body["loggingSettings"] = {
        "bigqueryExportSettings": {"enabled": True, "project": "$env_var", "dataset": "calls"}
    }
    tree.write("out/app.json", json.dumps(body))
    logging = {"bigqueryExportSettings": {"project": "acme-calls"}}
    tree.write("out/environment.json", json.dumps({"app": {"loggingSettings": logging}}))
    tree.write("out/pythonEnvFiles/pythonEnvFiles.json", "{}")
    assert cesplan("convert", "out", "back", "--project", "acme-dev").code == 0
    app = Path("back/apps/help-desk/app.yaml").read_text()
    assert app.startswith("# owner: Ask the desk.\n")
    assert "project: {$var: helpDeskProject}" in app
    assert "variables:\n  helpDeskProject: acme-calls\n" in Path("back/cesplan.yaml").read_text()
    assert cesplan("convert", "back", "again").code == 0
    assert Path("again/pythonEnvFiles/pythonEnvFiles.json").read_text() == "{}"
    again = json.loads(Path("again/app.json").read_text())
    assert again["loggingSettings"]["bigqueryExportSettings"]["project"] == "$env_var"
    project = json.loads(Path("again/environment.json").read_text())["app"]["loggingSettings"]
    assert project == {"bigqueryExportSettings": {"project": "acme-calls", "dataset": "calls"}}
