"""Paths, parameters and bodies of the standard methods, to the letter."""

import pytest

from cesplan.domain.errors import CesplanError
from cesplan.domain.field_path import MaskPath, mask_path
from cesplan.model.kinds import KINDS, kind_of
from cesplan.remote import calls

APP = "projects/acme-dev/locations/us/apps/support-desk"
AGENT = f"{APP}/agents/front-desk"


def test_get():
    """GET /{version}/{name}, for the version asked."""
    call = calls.get(kind_of("agents"), AGENT)
    assert (call.method, call.target("v1")) == ("GET", f"/v1/{AGENT}")
    assert call.reads


def test_list():
    """Lists ask for the largest page, by name, which is stable while someone writes."""
    call = calls.list_page(kind_of("agents"), APP)
    assert call.method == "GET"
    assert call.target("v1beta") == f"/v1beta/{APP}/agents?pageSize=1000&orderBy=name"


def test_list_goes_on_with_the_token():
    """A page token is escaped, and the other parameters stay as they were."""
    call = calls.list_page(kind_of("tools"), APP, page_token="a+b/c=&")
    assert call.target("v1") == f"/v1/{APP}/tools?pageSize=1000&orderBy=name&pageToken=a%2Bb/c%3D%26"


@pytest.mark.parametrize(
    ("kind", "parameter"),
    [
        ("apps", "appId"),
        ("agents", "agentId"),
        ("tools", "toolId"),
        ("toolsets", "toolsetId"),
        ("guardrails", "guardrailId"),
        ("examples", "exampleId"),
        ("versions", "appVersionId"),
        ("deployments", "deploymentId"),
        ("evaluations", "evaluationId"),
        ("evaluationDatasets", "evaluationDatasetId"),
        ("evaluationExpectations", "evaluationExpectationId"),
        ("scheduledEvaluationRuns", "scheduledEvaluationRunId"),
    ],
)
def test_create_names_the_id_in_the_kinds_own_parameter(kind, parameter):
    """POST to the collection; the id is a query parameter with a name of its own for each kind."""
    call = calls.create(kind_of(kind), "projects/p/locations/us", "my-id-1", {"displayName": "x"})
    assert call.method == "POST"
    assert call.target("v1beta") == f"/v1beta/projects/p/locations/us/{kind}?{parameter}=my-id-1"
    assert call.body == {"displayName": "x"}


def test_create_without_an_id_leaves_it_to_the_server():
    """No id, no parameter."""
    assert calls.create(kind_of("agents"), APP, "", {}).target("v1") == f"/v1/{APP}/agents"


def test_update():
    """PATCH with a comma list of camelCase paths; the body carries name and etag."""
    mask = (mask_path("instruction"), mask_path("modelSettings.temperature"))
    call = calls.update(kind_of("agents"), AGENT, {"instruction": "Hi", "etag": "e1"}, mask)
    assert call.method == "PATCH"
    assert call.target("v1") == f"/v1/{AGENT}?updateMask=instruction,modelSettings.temperature"
    assert call.body == {"instruction": "Hi", "etag": "e1", "name": AGENT}


@pytest.mark.parametrize("mask", [(), (MaskPath(()),)])
def test_an_update_without_a_mask_is_never_made(mask):
    """The service reads an absent mask as "every field", so an empty one is a programming error."""
    with pytest.raises(ValueError, match="needs a mask"):
        calls.update(kind_of("agents"), AGENT, {}, mask)


@pytest.mark.parametrize(
    ("etag", "force", "query"),
    [
        ("", False, ""),
        ("ab+/=", False, "?etag=ab%2B/%3D"),
        ("", True, "?force=true"),
        ("e1", True, "?etag=e1&force=true"),
    ],
)
def test_delete(etag, force, query):
    """DELETE; etag and force are query parameters and only sent where they say something."""
    call = calls.delete(kind_of("agents"), AGENT, etag, force)
    assert (call.method, call.target("v1")) == ("DELETE", f"/v1/{AGENT}{query}")


def test_methods_a_kind_lacks_are_never_made():
    """Versions have no update, security settings no create and no delete, examples no force."""
    settings = kind_of("securitySettings")
    with pytest.raises(ValueError, match="cannot be updated"):
        calls.update(kind_of("versions"), f"{APP}/versions/v1", {}, (mask_path("displayName"),))
    with pytest.raises(ValueError, match="cannot be created"):
        calls.create(settings, APP, "x", {})
    with pytest.raises(ValueError, match="cannot be deleted"):
        calls.delete(settings, APP, "", False)
    with pytest.raises(ValueError, match="by force"):
        calls.delete(kind_of("examples"), f"{APP}/examples/one", "", True)


def test_names_keep_their_slashes_and_colons():
    """Old project ids have a domain before a colon; a percent sign is not the beginning of an escape."""
    call = calls.get(kind_of("apps"), "projects/acme.example:dev/locations/us/apps/a%2Fb")
    assert call.target("v1") == "/v1/projects/acme.example:dev/locations/us/apps/a%252Fb"


@pytest.mark.parametrize(
    "id_", ["..", ".", "", "a?b", "a#b", "a\\b", "a b", "a\nb", "ä", "x" * 201, "a/../../b"]
)
def test_what_is_not_a_name_never_becomes_a_path(id_):
    """An id of a tree, a plan file or an answer can neither leave its parent nor begin a query."""
    with pytest.raises(CesplanError, match=r"is not a valid resource name\. Nothing was sent"):
        calls.get(kind_of("apps"), f"projects/acme-dev/locations/us/apps/{id_}")


def test_words_for_a_call():
    """Messages name what was asked with kind and id, without project and location."""
    agents = kind_of("agents")
    assert calls.get(agents, AGENT).what == "get agents/front-desk"
    assert calls.list_page(agents, APP).what == "list agents of apps/support-desk"
    assert calls.create(agents, APP, "front-desk", {}).what == "create agents/front-desk"
    assert calls.create(agents, APP, "", {}).what == "create agents"


def test_a_body_does_not_show_in_the_representation_of_a_call():
    """Bodies hold revealed secrets, and representations end up in tracebacks and logs."""
    assert "hunter2" not in repr(calls.create(kind_of("agents"), APP, "x", {"instruction": "hunter2"}))


def test_only_gets_count_as_reading():
    """Every kind: whatever is not GET may change something."""
    for kind in KINDS.values():
        assert calls.get(kind, "n").reads
        if kind.updatable:
            assert not calls.update(kind, "n", {}, (mask_path("displayName"),)).reads
        if kind.id_parameter:
            assert not calls.create(kind, "p", "i", {}).reads
        if kind.deletable:
            assert not calls.delete(kind, "n", "", False).reads
