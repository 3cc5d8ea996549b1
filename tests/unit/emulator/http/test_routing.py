"""Routes: every route of the contract leads to its method; nothing else leads anywhere."""

import pytest

from cesplan.emulator.contract import VERSIONS, load
from cesplan.emulator.errors import Refused
from cesplan.emulator.http.routing import route


@pytest.mark.parametrize("version", VERSIONS)
def test_every_route_leads_to_its_method(version):
    """A path made from a template is routed to the template's method."""
    for rpc in load().rpcs[version]:
        found, target = route(rpc.verb, f"/{version}/{rpc.path.replace('*', 'some1')}")
        assert found.name == rpc.name, rpc.path
        assert target.version == version


def test_a_target_has_parent_kind_and_name():
    """Collections have no name, items have one; the app is found above both."""
    base = "projects/p/locations/us/apps/desk1"
    _, listed = route("GET", f"/v1/{base}/agents")
    assert (listed.parent, listed.kind, listed.name, listed.app) == (base, "agents", "", base)
    _, one = route("GET", f"/v1beta/{base}/agents/front")
    assert (one.parent, one.kind, one.name) == (base, "agents", f"{base}/agents/front")
    _, settings = route("GET", "/v1beta/projects/p/locations/us/securitySettings")
    assert (settings.kind, settings.name, settings.app) == (
        "securitySettings",
        "projects/p/locations/us/securitySettings",
        "",
    )


@pytest.mark.parametrize(
    ("verb", "path"),
    [
        ("GET", "/"),
        ("GET", "/v2/projects/p/locations/us/apps"),
        ("GET", "/v1/projects//locations/us/apps"),
        ("PUT", "/v1/projects/p/locations/us/apps/desk1"),
        ("POST", "/v1/projects/p/locations/us/apps/desk1:explode"),
        ("GET", "/v1/projects/p/locations/us/apps/desk1/"),
        ("GET", "/v1/projects/p/locations/us/apps/desk1/evaluations"),
    ],
)
def test_other_paths_lead_nowhere(verb, path):
    """Unknown versions, verbs, collections and empty segments are NOT_FOUND."""
    with pytest.raises(Refused) as caught:
        route(verb, path)
    assert caught.value.code == "NOT_FOUND"
