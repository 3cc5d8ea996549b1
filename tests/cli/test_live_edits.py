"""`liveEdits` of cesplan.yaml: whether an apply that no person watches may revert what was edited live."""

import json
from urllib.request import Request, urlopen

import pytest

from cesplan.emulator import EmbeddedEmulator
from tests.cli.conftest import Run, Tree

AGENT = "locations/us/apps/help-desk/agents/front-desk"


def edit(service: EmbeddedEmulator, project: str) -> None:
    """Bob edits the instruction in the console."""
    request = Request(
        f"http://{service.address}/v1beta/projects/{project}/{AGENT}?updateMask=instruction",
        data=json.dumps({"instruction": "Be rude."}).encode(),
        headers={"x-emulator-author": "bob@acme.example", "Content-Type": "application/json"},
        method="PATCH",
    )
    urlopen(request).close()


def instruction(service: EmbeddedEmulator, project: str) -> str:
    row = service.store.get(f"projects/{project}/{AGENT}")
    assert row is not None
    return str(row.body["instruction"]).partition("\n")[0]


@pytest.mark.parametrize(
    ("top", "prod", "expected"),
    [
        ("", "", {"acme-dev": False, "acme-prod": False}),
        ("liveEdits: revert", "", {"acme-dev": True, "acme-prod": True}),
        ("", ", liveEdits: revert", {"acme-dev": False, "acme-prod": True}),
        ("liveEdits: revert", ", liveEdits: refuse", {"acme-dev": True, "acme-prod": False}),
    ],
)
def test_an_unattended_apply_reverts_live_edits_where_the_environment_says_so(
    tree: Tree, service: EmbeddedEmulator, cesplan: Run, top: str, prod: str, expected: dict[str, bool]
) -> None:
    """The default refuses with 5 and leaves them; what an environment says wins over the top level."""
    tree.replace("cesplan.yaml", "{project: acme-prod}", f"{{project: acme-prod{prod}}}\n{top}")
    for project, words in (("acme-dev", ()), ("acme-prod", ("-e", "prod"))):
        assert cesplan("apply", "--auto-approve", *words).code == 0
        edit(service, project)
        ran = cesplan("apply", "--auto-approve", *words)
        is_reverted = expected[project]
        assert ran.code == (0 if is_reverted else 5), ran.err
        assert instruction(service, project) == ("You are the front desk." if is_reverted else "Be rude.")
        assert "bob@acme.example" in ran.out + ran.err


def test_another_word_is_an_error(tree: Tree, cesplan: Run) -> None:
    tree.replace("cesplan.yaml", "cesplan: 1\n", "cesplan: 1\nliveEdits: keep\n")
    ran = cesplan("validate")
    assert ran.code == 7
    assert "`liveEdits` cannot be `keep`" in ran.out + ran.err
