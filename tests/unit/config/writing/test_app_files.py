"""Tests of whole apps as files. The law: loading what was written gives what went in."""

from pathlib import Path
from typing import Any

import pytest

from cesplan.config.tree.load import Loaded, load
from cesplan.config.writing.app_files import app_files, app_keys, project_file, resource_files
from cesplan.config.writing.saving import save
from cesplan.domain.address import AppKey, app_address
from cesplan.domain.desired import DesiredApp, DesiredResource
from cesplan.domain.naming import Naming
from cesplan.domain.settings import Ownership, Settings
from cesplan.domain.value import Secret, canonical_text, reveal
from cesplan.engine.comparing.normalize import normalize
from cesplan.model.kinds import kind_of
from tests.properties.dice import seeded
from tests.properties.trees import WHERE, tree
from tests.seeds import seeds

NAMING = Naming(place=WHERE, app_id="shop-desk")
SECRETS = {"crmKey": "s3cret-of-the-crm", "payKey": "s3cret-of-payments"}
APP = AppKey("shop-desk")


def canonical(resource: DesiredResource) -> dict[str, Any]:
    return normalize(kind_of(resource.address.kind).spec, resource.body, NAMING).body


def with_canonical_bodies(app: DesiredApp) -> DesiredApp:
    """As extracting gives them: defaults gone, one spelling each; credentials never come back."""
    resources = [
        DesiredResource(address=item.address, body=canonical(item), file="", resource_id=item.resource_id)
        for item in app.all()
    ]
    return DesiredApp(key=app.key, app=resources[0], resources=tuple(resources[1:]))


def loaded(root: Path, files: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Loaded:
    """Without the checks: generated texts are not Python, and this is not about what they say."""
    monkeypatch.setattr("cesplan.config.tree.load.run_checks", lambda *_: None)
    variables = "variables: {crmKey: {secret: true}, payKey: {secret: true}}\n"
    save(root, {"cesplan.yaml": project_file(Settings(place=WHERE)) + variables, **files})
    return load(root, environ={f"CESPLAN_SECRET_{name}": text for name, text in SECRETS.items()})


@pytest.mark.parametrize("seed", seeds(8, range(24)))
def test_loading_what_was_written_gives_what_went_in(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = with_canonical_bodies(tree(seeded(seed), plain=seed % 3 == 0).apps[0])
    files = app_files(app, "apps/shop-desk")
    assert files == app_files(app, "apps/shop-desk")
    found = loaded(tmp_path, files, monkeypatch)
    assert [item for item in found.diagnostics if item.severity == "error"] == []
    assert found.desired is not None
    again = {item.address: item for item in found.desired.apps[0].all()}
    for item in app.all():
        other = again[item.address]
        assert canonical_text(reveal(canonical(other))) == canonical_text(reveal(item.body))
        assert other.resource_id == item.resource_id


def app(body: dict[str, Any], **more: Any) -> DesiredApp:
    return DesiredApp(key=APP, app=DesiredResource(address=app_address(APP), body=body, file="", **more))


def test_directives_come_first_then_names_then_the_order_of_the_model_and_extra_last() -> None:
    resource = app(
        {"rootAgent": "agents/front-desk", "description": "d", "displayName": "Shop"},
        resource_id="1b2c3d4e",
        protect=True,
        ownership=Ownership.DECLARED,
        ignore=("pinned",),
        extra={"brandNew.a": {"$x": "${y}"}},
    )
    assert app_files(resource, "apps/shop-desk")["apps/shop-desk/app.yaml"] == (
        "$id: 1b2c3d4e\n$protect: true\n$ownership: declared\n$ignore: [pinned]\n"
        "displayName: Shop\ndescription: d\nrootAgent: agents/@front-desk\n"
        "$extra:\n  brandNew.a:\n    $$x: $${y}\n"
    )


def test_an_id_of_one_environment_is_written_as_such() -> None:
    one = app({"displayName": "Shop"}, resource_id="1b2c3d4e")
    files = resource_files(one.app, "apps/shop-desk", app_keys(one), environment="prod")
    assert files["apps/shop-desk/app.yaml"] == "$id:\n  prod: 1b2c3d4e\ndisplayName: Shop\n"


def test_silences_carry_their_reason() -> None:
    one = app({"displayName": "Shop"})
    (text,) = resource_files(
        one.app, "apps/x", app_keys(one), silenced={"CES041": "live is like this"}
    ).values()
    assert text == "$silence:\n  CES041: live is like this\ndisplayName: Shop\n"


def test_a_secret_is_written_as_its_variable_and_never_as_itself() -> None:
    files = app_files(app({"description": Secret(("crmKey",), "s3cret")}), "apps/shop-desk")
    assert files["apps/shop-desk/app.yaml"] == "description: {$var: crmKey}\n"
    made = Secret(("crmKey",), "Bearer s3cret", "Bearer ${crmKey}")
    assert app_files(app({"description": made}), "a")["a/app.yaml"] == "description: Bearer ${crmKey}\n"
    with pytest.raises(ValueError, match="cannot write"):
        app_files(app({"description": Secret(("a", "b"), "x y")}), "a")


def test_a_new_project_says_where_it_is() -> None:
    assert project_file(Settings(place=WHERE)) == (
        "cesplan: 1\nproject: acme\nlocation: us\napiVersion: v1beta\napps: [apps/*]\n"
    )
