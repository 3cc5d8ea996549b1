"""`cesplan validate`."""

import json

from tests.cli.conftest import Run, Tree


def test_a_clean_tree(tree: Tree, cesplan: Run) -> None:
    """One line on stdout, nothing on stderr."""
    ran = cesplan("validate")
    assert (ran.code, ran.out, ran.err) == (0, "No problems in 7 files.\n", "")


def test_a_broken_tree_is_7_and_shows_the_place(tree: Tree, cesplan: Run) -> None:
    """Findings are the result: they go to stdout, before the verdict."""
    tree.replace("apps/help-desk/agents/front-desk.yaml", "[lookup-order]", "[lookup-orders]")
    ran = cesplan("validate")
    assert ran.code == 7
    assert ran.err == ""
    assert ran.out.startswith("error[CES021]")
    assert "apps/help-desk/agents/front-desk.yaml:3:9" in ran.out
    assert "did you mean `lookup-order`?" in ran.out
    assert "1 error, 1 notice in 7 files.      cesplan validate --explain CES021\n" in ran.out
    assert ran.out.endswith("1 of them can be fixed:  cesplan validate --fix\n")


def test_json_has_the_same_code(tree: Tree, cesplan: Run) -> None:
    """Stdout is one document; the exit code does not depend on the format."""
    tree.replace("apps/help-desk/agents/front-desk.yaml", "displayName", "displayname")
    ran = cesplan("validate", "--format", "json")
    document = json.loads(ran.out)
    assert ran.code == 7
    assert document["valid"] is False
    (found,) = (item for item in document["diagnostics"] if item["code"] == "CES012")
    place = {"file": "apps/help-desk/agents/front-desk.yaml", "line": 1, "column": 1}
    assert found["fix"] == {"place": place, "before": "displayname", "after": "displayName"}
    assert "error[CES012]" in ran.err


def test_codes_are_explained(cesplan: Run) -> None:
    """The page is data; an unknown code says how to list them."""
    ran = cesplan("validate", "--explain", "ces021")
    assert ran.code == 0
    assert ran.out.startswith("CES021  reference to something that does not exist\n")
    unknown = cesplan("validate", "--explain", "CES999")
    assert unknown.code == 64
    assert "cesplan explain\n" in unknown.err


def test_no_tree_at_all(tmp_path: object, cesplan: Run) -> None:
    """It says what to type."""
    ran = cesplan("-C", str(tmp_path), "validate")
    assert ran.code == 7
    assert "cesplan init" in ran.out
