"""The server of an OpenAPI document, the one value of it that belongs to an environment."""

import pytest

from cesplan.features.export_layout.layout import with_variable

HEAD, TAIL = "openapi: 3.0.3\n", "paths: {}\n"


@pytest.mark.parametrize(
    ("servers", "shown"),
    [
        ("servers:\n- url: https://a.example/v1\n", "servers:\n- url: $env_var\n"),
        ("servers:\n  - url: 'https://a.example/v1'\n    description: Ours\n", None),
        ("servers:\n  - description: Ours\n    url: https://a.example/v1\n", None),
    ],
)
def test_one_server_gives_way(servers: str, shown: str | None) -> None:
    text, url = with_variable(HEAD + servers + TAIL)
    assert url == "https://a.example/v1"
    wanted = shown or servers.replace("'https://a.example/v1'", "$env_var").replace(url, "$env_var")
    assert text == HEAD + wanted + TAIL


@pytest.mark.parametrize(
    "servers",
    [
        "",
        "servers: []\n",
        "servers:\n- url: https://a.example\n- url: https://b.example\n",
        "servers:\n- url: $env_var\n",
    ],
)
def test_none_or_several_stay_as_they_are(servers: str) -> None:
    assert with_variable(HEAD + servers + TAIL) == (HEAD + servers + TAIL, "")


def test_a_url_elsewhere_is_no_server() -> None:
    text = HEAD + "info:\n  contact:\n    url: https://a.example\n" + TAIL
    assert with_variable(text) == (text, "")
