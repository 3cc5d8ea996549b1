"""What differences mean in every report that shows them: verdicts, weakened protection, and what is reached."""

import json
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from cesplan.emulator import EmbeddedEmulator
from tests.cli.conftest import Run, Tree

_APP = "projects/acme-dev/locations/us/apps/help-desk"
_TOOL = "apps/help-desk/tools/quote.yaml"
_SCHEMA = {"type": "OBJECT", "properties": {"id": {"type": "STRING"}}}
_NARROWED = {**_SCHEMA, "properties": {"id": {"type": "INTEGER"}}, "required": ["id"]}
_CODE = 'def lookup_order(order: str) -> dict:\n    """Find an order."""\n    return {"order": order}\n'


def _patch(service: EmbeddedEmulator, name: str, mask: str, body: object) -> None:
    """Bob edits a resource in the console."""
    request = Request(
        f"http://{service.address}/v1beta/{_APP}/{name}?updateMask={mask}",
        data=json.dumps(body).encode(),
        headers={"x-emulator-author": "bob@acme.example", "Content-Type": "application/json"},
        method="PATCH",
    )
    urlopen(request).close()


@pytest.fixture
def edited(tree: Tree, service: EmbeddedEmulator, cesplan: Run) -> Tree:
    """Live, a guardrail is off, code is reformatted, and a schema takes less."""
    tree.write(_TOOL, f"clientFunction:\n  name: quote\n  parameters: {json.dumps(_SCHEMA)}\n")
    tree.replace("apps/help-desk/agents/front-desk.yaml", "[lookup-order]", "[lookup-order, quote]")
    assert cesplan("apply", "--auto-approve").code == 0
    _patch(service, "guardrails/no-cards", "enabled", {"enabled": False})
    reformatted = _CODE.replace('"order": order', '\n        "order": order  # as it is\n    ')
    _patch(
        service,
        "tools/lookup-order",
        "pythonFunction.pythonCode",
        {"pythonFunction": {"pythonCode": reformatted}},
    )
    _patch(service, "tools/quote", "clientFunction.parameters", {"clientFunction": {"parameters": _NARROWED}})
    return tree


_WEAKENED = {"code": "WEA001", "path": "enabled", "text": "enabled: true → false"}


def test_drift_says_what_live_edits_mean(edited: Tree, cesplan: Run, tmp_path: Path) -> None:
    """From what was applied to live; what fell live is first in each format, with who did it."""
    ran = cesplan("drift")
    assert ran.code == 2
    assert ran.out.startswith(
        "Weakens protection:\n"
        "  ! help-desk/guardrails/no-cards enabled: true → false (WEA001), live by\n      bob@"
    )
    assert "comments and formatting only (text changed: +" in ran.out
    markdown, page = (tmp_path / name for name in ("drift.md", "drift.html"))
    document = json.loads(
        cesplan("drift", "--format", "json", "--report", f"markdown={markdown}", "--report", f"html={page}").out
    )
    items = {
        (item["address"], (item["field"] or {}).get("path")): item for item in document["apps"][0]["items"]
    }
    assert items["help-desk/guardrails/no-cards", "enabled"]["weakens"] == [_WEAKENED]
    code = items["help-desk/tools/lookup-order", "pythonFunction.pythonCode"]
    assert code["field"]["typed_diff"]["meaning"] == "same"
    assert code["impact"]["agents"] == ["help-desk/agents/front-desk"]
    assert "weakens" not in code
    schemas = [item for (address, _), item in items.items() if address == "help-desk/tools/quote"]
    found = [item["field"]["typed_diff"] for item in schemas if "typed_diff" in item["field"]]
    assert [[one["code"] for one in item["details"]] for item in found] == [["JSC033", "JSC035"]]
    for text in (markdown.read_text(), page.read_text()):
        assert text.index("Weakens protection") < text.index("lookup-order")
        assert "comments and formatting only" in text
        assert "schema: 2 breaking changes" in text


def test_drift_of_one_run_is_the_same_when_it_is_joined(edited: Tree, cesplan: Run, tmp_path: Path) -> None:
    """What is written is read again with nothing lost."""
    one = tmp_path / "one.json"
    cesplan("drift", "--shard", "1/1", "--report", f"json={one}")
    joined = json.loads(cesplan("drift", "merge", str(one), "--format", "json").out)
    assert joined["apps"][0]["items"] == json.loads(one.read_text())["apps"][0]["items"]


def test_a_merge_says_what_is_taken(edited: Tree, cesplan: Run, tmp_path: Path) -> None:
    """From the tree to live, which is what the files will say."""
    ran = cesplan("pull", "--merge", "--check")
    assert ran.code == 2
    assert ran.out.startswith(
        "Weakens protection:\n  ! help-desk/guardrails/no-cards enabled: true → false (WEA001)\n"
    )
    assert "comments and formatting only" in ran.out
    assert "! id: type string → integer (JSC035)" in ran.out
    (app,) = json.loads(cesplan("pull", "--merge", "--check", "--format", "json").out)["apps"]
    assert app["weakens"] == [{"address": "help-desk/guardrails/no-cards", **_WEAKENED}]
    reaches = {item["address"]: item["impact"]["agents"] for item in app["reaches"]}
    assert reaches["help-desk/tools/quote"] == ["help-desk/agents/front-desk"]
    typed = {item["path"]: item["typed_diff"] for item in app["fields"] if "typed_diff" in item}
    assert typed["pythonFunction.pythonCode"]["meaning"] == "same"
    assert any(item["breaking"] for item in typed.values())


def test_a_promotion_says_how_environments_differ(edited: Tree, cesplan: Run) -> None:
    """Code that one environment has in another form, and a schema that is narrower there."""
    edited.write(
        "environments/prod/apps/help-desk/tools/quote.yaml",
        f"clientFunction: {{parameters: {json.dumps(_NARROWED)}}}\n",
    )
    edited.replace("cesplan.yaml", "  prod:", "  dev: {}\n  prod:")
    ran = cesplan("promote", "dev", "prod")
    assert "schema: 2 breaking changes" in ran.out
    document = json.loads(cesplan("promote", "dev", "prod", "--format", "json").out)
    (found,) = (item for item in document["differences"] if item["address"] == "help-desk/tools/quote")
    codes = [
        one["code"] for item in found["field_changes"] for one in item.get("typed_diff", {}).get("details", ())
    ]
    assert codes == ["JSC033", "JSC035"]
