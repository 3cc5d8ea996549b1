"""`cesplan validate`."""

import json

from tests.cli.conftest import Run, Tree


def test_a_clean_tree(tree: Tree, cesplan: Run) -> None:
    """One line on stdout, nothing on stderr."""
    ran = cesplan("validate")
    assert (ran.code, ran.out, ran.err) == (0, "No problems in 7 files.\n", "")


def test_a_broken_tree_is_7_and_shows_the_place(tree: Tree, cesplan: Run) -> None:
    """Findings go to stderr, the verdict to stdout."""
    tree.replace("apps/help-desk/agents/front-desk.yaml", "[lookup-order]", "[lookup-orders]")
    ran = cesplan("validate")
    assert ran.code == 7
    assert "error[CES021]" in ran.err
    assert "apps/help-desk/agents/front-desk.yaml:3:9" in ran.err
    assert "did you mean `lookup-order`?" in ran.err
    assert ran.out.startswith("1 error")
    assert "cesplan validate --explain CES021" in ran.out


def test_json_has_the_same_code(tree: Tree, cesplan: Run) -> None:
    """Stdout is one document; the exit code does not depend on the format."""
    tree.replace("apps/help-desk/agents/front-desk.yaml", "displayName", "displayname")
    ran = cesplan("validate", "--format", "json")
    document = json.loads(ran.out)
    assert ran.code == 7
    assert document["valid"] is False
    assert "CES012" in {item["code"] for item in document["diagnostics"]}


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
    assert "cesplan init" in ran.err
