"""Which emulator is used, and how its switches are read."""

from pathlib import Path

import pytest

from cesplan.domain.errors import UsageError
from cesplan.workflow.emulating import emulator, serve_emulator, switch_help, switch_names


def test_the_environment_names_an_emulator() -> None:
    """CES_EMULATOR_HOST, as with Google's other emulators; without it the service itself is meant."""
    with emulator(Path(), embedded=False, environ={"CES_EMULATOR_HOST": "127.0.0.1:8470"}) as address:
        assert address == "127.0.0.1:8470"
    with emulator(Path(), embedded=False, environ={}) as address:
        assert address == ""


def test_an_embedded_one_keeps_its_data_under_the_root_of_the_tree(tmp_path: Path) -> None:
    """Wherever in the tree one is; git never sees it."""
    (tmp_path / "cesplan.yaml").write_text("cesplan: 1\n", encoding="utf-8")
    below = tmp_path / "apps"
    below.mkdir()
    with emulator(below, embedded=True, environ={"CES_EMULATOR_HOST": "elsewhere:1"}) as address:
        assert address.startswith("127.0.0.1:")
    assert (tmp_path / ".cesplan" / "emulator.db").exists()
    assert (tmp_path / ".cesplan" / ".gitignore").read_text(encoding="utf-8") == "*\n"


def test_an_unknown_switch_lists_all() -> None:
    """One does not have to read the source to know them."""
    with pytest.raises(UsageError) as raised:
        serve_emulator(0, switches={"etags": "on"})
    assert "etag_on_update=enforce|ignore" in raised.value.detail


@pytest.mark.parametrize(
    ("name", "text"),
    [("etag_on_update", "maybe"), ("deployment_etags", "yes"), ("operation_polls", "many")],
)
def test_a_wrong_value_says_what_to_write(name: str, text: str) -> None:
    """Choices, truth values and numbers are checked before anything is served."""
    with pytest.raises(UsageError, match=name):
        serve_emulator(0, switches={name: text})


def test_every_switch_has_values_to_show_and_says_what_it_decides() -> None:
    """No line of the list is empty; the default is the first of the choices."""
    assert all(switch_names().values())
    rows = dict(switch_help())
    assert all(about.endswith((".", "]")) for about in rows.values())
    assert {"app_needs_model=false|true", "deployment_etags=true|false"} <= set(rows)
