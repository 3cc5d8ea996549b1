"""Every method that is served is driven by Google's client, in both versions; the others refuse it."""

import pytest
from google.api_core import exceptions

from cesplan.emulator.contract import VERSIONS, load
from cesplan.emulator.fidelity import FIDELITY
from tests.conformance.emulator.drives import SERVED
from tests.conformance.emulator.refusals import REFUSED

# In discovery, not in Google's client: routes that speak the A2A protocol.
NOT_IN_THE_CLIENT = {
    f"projects.locations.apps.{kind}{method}"
    for kind in ("", "versions.", "deployments.")
    for method in ("message.send", "getExtendedAgentCard")
}
ROUTED = {version: {rpc.name for rpc in load().rpcs[version]} for version in VERSIONS}


def pairs(methods):
    """Return each version with each of the methods that it has."""
    return [(version, name) for version in VERSIONS for name in sorted(methods) if name in ROUTED[version]]


@pytest.mark.parametrize(("google", "method"), pairs(SERVED), indirect=["google"])
def test_a_served_method_works(google, method):
    """Google's client calls the method and understands what comes back."""
    SERVED[method](google)
    assert method in google.called


@pytest.mark.parametrize(("google", "method"), pairs(REFUSED), indirect=["google"])
def test_a_method_that_is_not_served_says_so(google, method):
    """What needs a language model is UNIMPLEMENTED, with the reason of the table."""
    google.played  # noqa: B018  (the service itself has a model)
    with pytest.raises(exceptions.MethodNotImplemented) as caught:
        REFUSED[method](google)
    assert FIDELITY[method].note in caught.value.message


@pytest.mark.parametrize(("version", "served", "refused"), [("v1", 59, 1), ("v1beta", 92, 6)])
def test_the_census(version, served, refused):
    """Nothing that is served goes undriven, nothing is driven that is not served."""
    driven = {name for name in SERVED if name in ROUTED[version]}
    assert driven == {name for name in ROUTED[version] if FIDELITY[name].level != "not served"}
    unserved = {name for name in ROUTED[version] if FIDELITY[name].level == "not served"}
    assert {name for name in REFUSED if name in ROUTED[version]} == unserved - NOT_IN_THE_CLIENT
    assert (len(driven), len(unserved - NOT_IN_THE_CLIENT)) == (served, refused)
