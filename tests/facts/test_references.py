"""Which references must exist, inside an app and outside."""

from typing import Any

import pytest

LOCATION = "projects/acme/locations/us"
APP = f"{LOCATION}/apps/desk1"
FRONT = f"{APP}/agents/front"
API = {"displayName": "D", "channelProfile": {"channelType": "API"}}
CERTIFICATE = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"
KEY = "projects/acme/secrets/key/versions/1"


@pytest.mark.parametrize("switch", ["check", "accept"])
def test_dangling_outward_references_are_accepted(serving, switch):
    """Transfer agents, toolIds, buckets and templates need not exist."""
    server = serving(references=switch)
    bucket = {"gcsBucket": "gs://nobody"}
    template = "projects/acme/locations/us/inspectTemplates/none"
    logging = {"audioRecordingConfig": bucket, "redactionConfig": {"inspectTemplate": template}}
    server.app(loggingSettings=logging)
    action = {"transferAgent": {"agent": f"{APP}/agents/nobody"}}
    server.made("guardrails", {"displayName": "G", "codeCallback": {}, "action": action})
    body = {"displayName": "S", "mcpToolset": {"serverAddress": "https://mcp.acme.example"}}
    toolset = server.made("toolsets", body)["name"]
    server.agent("front", toolsets=[{"toolset": toolset, "toolIds": ["nothing"]}])


@pytest.mark.parametrize(("switch", "status"), [("check", 400), ("accept", 200)])
@pytest.mark.parametrize("field", ["tools", "childAgents", "guardrails"])
def test_references_inside_an_app(serving, switch, status, field):
    """Whether an agent's own references are checked is open: by switch, refused by default."""
    server = serving(references=switch)
    server.app()
    sent = server.create(f"{APP}/agents", {"displayName": "A", field: [f"{APP}/{field}/nobody"]})
    assert sent.status == status


def test_a_reference_that_dangles_already_stands_in_no_ones_way(server):
    """Only what an update adds is checked; live apps do hold dangling references."""
    server.app()
    server.emulator.seed({"name": FRONT, "displayName": "F", "tools": [f"{APP}/tools/gone"]})
    assert server.update(FRONT, {"description": "d"}, updateMask="description").status == 200


@pytest.mark.parametrize("switch", ["check", "accept"])
@pytest.mark.parametrize("version", ["gone1", "-"])
def test_a_deployed_version_must_exist(serving, switch, version):
    """A deployment's version must exist (400); the draft, `versions/-`, is refused too."""
    server = serving(references=switch)
    server.app()
    sent = server.create(f"{APP}/deployments", API | {"appVersion": f"{APP}/versions/{version}"})
    assert (sent.status, sent.fields) == (400, ["appVersion"])


def allocations(*shares: Any) -> dict[str, Any]:
    rows = [{"appVersion": f"{APP}/versions/v0001", "trafficPercentage": share} for share in shares]
    return {"experimentConfig": {"versionRelease": {"state": "RUNNING", "trafficAllocations": rows}}}


@pytest.mark.parametrize(
    ("shares", "status"),
    [((50, 50), 200), ((100,), 200), ((60, 50), 400), ((120, -20), 400), ((99,), 400)],
)
def test_a_traffic_split_sums_to_100(server, shares, status):
    """Each share is 0 to 100 and their sum is 100."""
    server.app()
    server.made("versions", {}, appVersionId="v0001")
    assert server.create(f"{APP}/deployments", API | allocations(*shares)).status == status


@pytest.mark.parametrize(("switch", "status"), [("accept", 200), ("refuse", 400)])
def test_a_share_of_nothing(serving, switch, status):
    """Whether 0 percent are accepted is not known."""
    server = serving(empty_shares=switch)
    server.app()
    server.made("versions", {}, appVersionId="v0001")
    assert server.create(f"{APP}/deployments", API | allocations(100, 0)).status == status


def test_a_traffic_split_names_existing_versions_and_short_ids(server):
    """The versions of a split must exist, and an id has at most 128 characters."""
    server.app()
    assert server.create(f"{APP}/deployments", API | allocations(100)).code == "INVALID_ARGUMENT"
    server.made("versions", {}, appVersionId="v0001")
    for length, status in ((128, 200), (129, 400)):
        body = allocations(100)
        body["experimentConfig"]["versionRelease"]["trafficAllocations"][0]["id"] = "i" * length
        assert server.create(f"{APP}/deployments", API | body).status == status


@pytest.mark.parametrize(
    ("certificate", "key", "status"),
    [(CERTIFICATE, KEY, 200), ("MIIB", KEY, 400), (CERTIFICATE, "-----BEGIN PRIVATE KEY-----", 400)],
)
def test_client_certificate_and_key_are_checked(server, certificate, key, status):
    """The certificate is PEM and the key a secret version."""
    server.app()
    settings = {"tlsCertificate": certificate, "privateKey": key}
    sent = server.update(APP, {"clientCertificateSettings": settings}, updateMask="clientCertificateSettings")
    assert sent.status == status


@pytest.mark.parametrize("switch", ["check", "accept"])
def test_the_root_agent_cannot_be_set_when_the_app_is_created(serving, switch):
    """rootAgent in a create of an app is refused: no agent can exist yet."""
    server = serving(references=switch)
    body = {"displayName": "D", "rootAgent": FRONT}
    sent = server.create(f"{LOCATION}/apps", body, appId="desk1")
    assert sent.code == "INVALID_ARGUMENT"
    assert server.get(APP).code == "NOT_FOUND"


@pytest.mark.parametrize(("switch", "status"), [(False, 200), (True, 400)])
def test_an_app_without_a_model_may_fail(serving, switch, status):
    """An app created with a display name only may fail for want of a model."""
    server = serving(app_needs_model=switch)
    assert server.create(f"{LOCATION}/apps", {"displayName": "D"}).status == status
    body = {"displayName": "D", "modelSettings": {"model": "m"}}
    assert server.create(f"{LOCATION}/apps", body).status == 200
