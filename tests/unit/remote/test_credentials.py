"""Real google-auth flows against token endpoints on the loopback, with keys made for the test."""

import datetime
import json
import threading
from dataclasses import replace
from urllib.parse import parse_qs

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from cesplan.domain import errors
from cesplan.remote.connecting import connect
from cesplan.remote.credentials import Credentials, default_credentials, impersonated
from cesplan.remote.pools import direct_pool

TOKEN = {"access_token": "token-1", "expires_in": 3600, "token_type": "Bearer"}


@pytest.fixture(scope="session")
def private_key():
    """A key nobody else has; made once, for it takes a while."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ).decode()


@pytest.fixture
def service_account(private_key, tmp_path, monkeypatch):
    """Makes a service-account file whose tokens come from this address, and points the environment at it."""

    def make(token_address):
        info = {
            "type": "service_account",
            "project_id": "acme-dev",
            "private_key_id": "1",
            "private_key": private_key,
            "client_email": "ci@acme-dev.iam.gserviceaccount.com",
            "token_uri": f"http://{token_address}/token",
        }
        path = tmp_path / "account.json"
        path.write_text(json.dumps(info))
        monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(path))
        return path

    return make


def _confirmed(settings, api):
    """A server on the loopback as the endpoint that the tree names and the user confirmed."""
    url = f"http://{api.address}"
    return {"settings": replace(settings, endpoint=url), "confirmed": {url}}


def _lowered(request):
    return {name.lower(): value for name, value in request[2].items()}


def test_a_service_account_gets_a_token_and_uses_it(service_account, odd_server, settings):
    """One token for all requests; the API hears it, and it goes nowhere else."""
    tokens, api = odd_server((200, TOKEN)), odd_server((200, {}))
    service_account(tokens.address)
    with connect(**_confirmed(settings, api)) as client:
        client.list_apps(settings.place)
        client.list_apps(settings.place)
    assert len(tokens.requests) == 1
    form = parse_qs(tokens.requests[0][3].decode())
    assert form["grant_type"] == ["urn:ietf:params:oauth:grant-type:jwt-bearer"]
    assert [_lowered(request)["authorization"] for request in api.requests] == ["Bearer token-1"] * 2


def test_a_token_that_is_refused_is_renewed_once(service_account, odd_server, settings):
    """A 401 in the middle of a run, such as after a key was changed."""
    tokens = odd_server((200, TOKEN), (200, {**TOKEN, "access_token": "token-2"}))
    api = odd_server((401, {"error": {"code": 401, "status": "UNAUTHENTICATED", "message": "x"}}), (200, {}))
    service_account(tokens.address)
    with connect(**_confirmed(settings, api)) as client:
        client.list_apps(settings.place)
    heard = [_lowered(request)["authorization"] for request in api.requests]
    assert heard == ["Bearer token-1", "Bearer token-2"]


def test_the_quota_project_is_sent(service_account, odd_server, settings, monkeypatch):
    """As asked for, or else as the credentials have it: here from the environment, as google-auth reads it."""
    tokens, api = odd_server((200, TOKEN)), odd_server((200, {}))
    service_account(tokens.address)
    monkeypatch.setenv("GOOGLE_CLOUD_QUOTA_PROJECT", "from-environment")
    there = _confirmed(settings, api)
    with connect(**there, quota_project="asked-for") as client:
        client.list_apps(settings.place)
    with connect(**there) as client:
        client.list_apps(settings.place)
    sent = [_lowered(request)["x-goog-user-project"] for request in api.requests]
    assert sent == ["asked-for", "from-environment"]


def test_a_refused_refresh_is_not_authenticated(service_account, odd_server, settings):
    """A revoked key, an expired login: exit code 6 and what to do, nothing asked of the API."""
    refusal = {"error": "invalid_grant", "error_description": "Invalid JWT Signature."}
    tokens, api = odd_server((400, refusal)), odd_server((200, {}))
    service_account(tokens.address)
    with (
        connect(**_confirmed(settings, api)) as client,
        pytest.raises(errors.NotAuthenticated) as caught,
    ):
        client.list_apps(settings.place)
    assert "Invalid JWT Signature" in caught.value.summary
    assert "gcloud auth application-default login" in caught.value.detail
    assert api.requests == []


def test_a_token_endpoint_that_is_not_reached_is_unavailable(service_account, odd_server, dialled, settings):
    """That is the network's fault, not the login's: tried again for a while, with the API hearing nothing."""
    tokens, api = odd_server("drop"), odd_server((200, {}))
    service_account(tokens.address)
    with pytest.raises(errors.Unavailable, match="Could not get an access token") as caught:
        dialled(api, credentials=default_credentials()).list_apps(settings.place)
    assert "Tried 7 times" in caught.value.detail
    assert api.requests == []


def test_a_token_endpoint_that_comes_back_is_enough(service_account, odd_server, dialled, settings):
    """A bad moment of the metadata server or of IAM does not fail a run."""
    tokens, api = odd_server("drop", (200, TOKEN)), odd_server((200, {}))
    service_account(tokens.address)
    assert dialled(api, credentials=default_credentials()).list_apps(settings.place) == ()


def test_impersonation(service_account, odd_server):
    """The source's token buys the account's token; delegates are named in order."""
    expiry = (datetime.datetime.now(datetime.UTC) + datetime.timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
    tokens = odd_server((200, TOKEN))
    iam = odd_server((200, {"accessToken": "deployer-token", "expireTime": expiry}))
    service_account(tokens.address)
    source = default_credentials()._source
    chain = "a@x.iam.gserviceaccount.com, deployer@x.iam.gserviceaccount.com"
    made = Credentials(
        impersonated(source, chain, endpoint=f"http://{iam.address}/generate"), http=direct_pool()
    )
    assert made.headers()["authorization"] == "Bearer deployer-token"
    [(method, target, _, data)] = iam.requests
    assert (method, target) == ("POST", "/generate")
    assert _lowered(iam.requests[0])["authorization"] == "Bearer token-1"
    asked = json.loads(data)
    assert asked["delegates"] == ["a@x.iam.gserviceaccount.com"]
    assert asked["scope"] == ["https://www.googleapis.com/auth/cloud-platform"]


def test_impersonation_that_is_not_allowed_names_the_role(service_account, odd_server):
    """The usual reason, and the role that mends it."""
    refusal = {
        "error": {"code": 403, "status": "PERMISSION_DENIED", "message": "iam.serviceAccounts.getAccessToken"}
    }
    tokens, iam = odd_server((200, TOKEN)), odd_server((403, refusal))
    service_account(tokens.address)
    source = default_credentials()._source
    made = Credentials(
        impersonated(source, "d@x", endpoint=f"http://{iam.address}/generate"), http=direct_pool()
    )
    with pytest.raises(errors.NotAuthenticated) as caught:
        made.headers()
    assert "roles/iam.serviceAccountTokenCreator" in caught.value.detail


def test_connect_impersonates(service_account, odd_server, settings):
    """`impersonate` wraps the default credentials; nothing is asked before the first request."""
    tokens = odd_server((200, TOKEN))
    service_account(tokens.address)
    with connect(settings, impersonate="deployer@x.iam.gserviceaccount.com") as client:
        source = client._calling._credentials._source
    assert source.service_account_email == "deployer@x.iam.gserviceaccount.com"
    assert tokens.requests == []


def test_no_credentials_at_all(settings, monkeypatch, tmp_path):
    """No file, no login, no metadata server."""
    monkeypatch.delenv("GOOGLE_APPLICATION_CREDENTIALS", raising=False)
    monkeypatch.setenv("CLOUDSDK_CONFIG", str(tmp_path))
    monkeypatch.setenv("NO_GCE_CHECK", "true")
    with pytest.raises(errors.NotAuthenticated, match="No usable Google credentials"):
        connect(settings)


def test_a_broken_credentials_file(settings, monkeypatch, tmp_path):
    """Told as a matter of credentials, without a traceback."""
    path = tmp_path / "broken.json"
    path.write_text("{")
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(path))
    with pytest.raises(errors.NotAuthenticated) as caught:
        connect(settings)
    assert "broken.json" in caught.value.detail


class Source:
    """Credentials that count how often they are renewed."""

    valid = True

    def __init__(self):
        self.count = 0

    def refresh(self, request):
        self.count += 1

    def apply(self, headers):
        headers["authorization"] = f"Bearer {self.count}"


def test_many_threads_with_the_same_stale_token_renew_it_once():
    """Eight workers meet a 401 at once: one new token is enough."""
    source = Source()
    made = Credentials(source, http=direct_pool())
    stale = made.headers()
    threads = [threading.Thread(target=made.renew, args=(stale,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert source.count == 1
