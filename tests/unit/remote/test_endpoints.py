"""Where requests go."""

from dataclasses import replace

import pytest

from cesplan.domain.errors import UsageError
from cesplan.remote.endpoints import emulator_url, service_url


@pytest.mark.parametrize(
    ("endpoint", "url"),
    [
        ("", "https://ces.googleapis.com"),
        ("regional", "https://ces.us.rep.googleapis.com"),
        ("ces.eu.rep.googleapis.com", "https://ces.eu.rep.googleapis.com"),
        ("https://ces-psc.p.googleapis.com", "https://ces-psc.p.googleapis.com"),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("http://localhost:8080/ces", "http://localhost:8080/ces"),
    ],
)
def test_the_setting_decides(settings, endpoint, url):
    """Nothing, a word, a host, a URL."""
    assert service_url(replace(settings, endpoint=endpoint)) == url


@pytest.mark.parametrize("endpoint", ["http://ces.example", "http://10.0.0.7:80"])
def test_no_token_travels_in_clear(settings, endpoint):
    """Plain HTTP only reaches this machine."""
    with pytest.raises(UsageError, match="not encrypted"):
        service_url(replace(settings, endpoint=endpoint))


@pytest.mark.parametrize("endpoint", ["https://", "ftp://x", "host:port"])
def test_what_is_no_endpoint_is_refused(settings, endpoint):
    """With the forms that one may have."""
    with pytest.raises(UsageError, match="no endpoint"):
        service_url(replace(settings, endpoint=endpoint))


def test_an_emulator_is_host_and_port():
    """The convention of Google's emulators; a URL will do."""
    assert emulator_url("127.0.0.1:8470") == "http://127.0.0.1:8470"
    assert emulator_url("http://localhost:8470") == "http://localhost:8470"


@pytest.mark.parametrize("address", ["https://127.0.0.1:1", "localhost:http", "://", ":8470"])
def test_what_is_no_emulator_is_refused(address):
    """With the form that it must have."""
    with pytest.raises(UsageError, match="no address of an emulator"):
        emulator_url(address)
