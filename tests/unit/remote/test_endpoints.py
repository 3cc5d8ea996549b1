"""Where requests go."""

from dataclasses import replace

import pytest

from cesplan.domain.errors import Refused, UsageError
from cesplan.remote.endpoints import emulator_endpoint, service_endpoint


@pytest.mark.parametrize(
    ("endpoint", "url"),
    [
        ("", "https://ces.googleapis.com"),
        ("regional", "https://ces.us.rep.googleapis.com"),
        ("ces.eu.rep.googleapis.com", "https://ces.eu.rep.googleapis.com"),
        ("https://ces-psc.p.googleapis.com/", "https://ces-psc.p.googleapis.com"),
        ("https://CES.GoogleAPIs.com:443", "https://ces.googleapis.com"),
    ],
)
def test_the_setting_decides(settings, endpoint, url):
    """Nothing, a word, a host, a URL: Google's own hosts need nobody's confirmation."""
    assert str(service_endpoint(replace(settings, endpoint=endpoint))) == url


@pytest.mark.parametrize("endpoint", ["http://127.0.0.1:8080", "https://ces.example", "https://[::1]:8443"])
def test_other_hosts_are_confirmed(settings, endpoint):
    """A loopback address too: another user of the machine may listen there."""
    there = replace(settings, endpoint=endpoint)
    assert str(service_endpoint(there, {endpoint})) == endpoint
    with pytest.raises(Refused, match=r"is not confirmed\. Nothing was sent") as caught:
        service_endpoint(there, {"https://other.example"})
    assert f"--endpoint {endpoint}" in caught.value.reasons[1]


@pytest.mark.parametrize("endpoint", ["http://ces.example", "http://10.0.0.7:80"])
def test_no_token_travels_in_clear(settings, endpoint):
    """Plain HTTP only reaches this machine, confirmed or not."""
    with pytest.raises(UsageError, match="not encrypted"):
        service_endpoint(replace(settings, endpoint=endpoint), {endpoint})


@pytest.mark.parametrize("endpoint", ["https://", "ftp://x", "host:port", "http://localhost:8080/ces"])
def test_what_is_not_an_endpoint_is_refused(settings, endpoint):
    """With the forms that one may have."""
    with pytest.raises(UsageError, match="not a usable endpoint"):
        service_endpoint(replace(settings, endpoint=endpoint), {endpoint})


def test_an_emulator_is_host_and_port():
    """The convention of Google's emulators; a URL will do."""
    assert str(emulator_endpoint("127.0.0.1:8470")) == "http://127.0.0.1:8470"
    assert str(emulator_endpoint("http://localhost:8470")) == "http://localhost:8470"
    assert str(emulator_endpoint("emulator:8470")) == "http://emulator:8470"


@pytest.mark.parametrize("address", ["https://127.0.0.1:1", "localhost:http", "://", ":8470", "a@127.0.0.1:1"])
def test_what_is_not_an_emulator_is_refused(address):
    """With the form that it must have."""
    with pytest.raises(UsageError, match="not a valid emulator address"):
        emulator_endpoint(address)
