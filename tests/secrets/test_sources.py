"""Secrets that a tree takes from Secret Manager or a file: only what was allowed, once, and in no output."""

import json
from collections.abc import Iterator

import pytest

from cesplan.domain.errors import CesplanError, Unavailable
from cesplan.domain.resource_name import Place
from cesplan.domain.service.secret_source import SecretVersion
from cesplan.domain.settings import Settings
from cesplan.domain.value import UNREAD, Secret
from cesplan.emulator import EmbeddedEmulator
from cesplan.model.kinds import kind_of
from cesplan.remote.clock import Clock
from cesplan.remote.connecting import connect
from cesplan.remote.other_services.secret_manager import access, crc32c, secrets_endpoint
from tests.cli.conftest import Ran, Run, Tree, cesplan, service, tree
from tests.live_edits.conftest import git
from tests.secrets.secret_manager import SecretManager, secret_manager

__all__ = ["cesplan", "service", "tree"]

KEY = "projects/acme-dev/secrets/crm-key"
VALUE = "s3cr3t-Of-The-Crm"


@pytest.fixture
def manager(monkeypatch: pytest.MonkeyPatch) -> Iterator[SecretManager]:
    with secret_manager() as running:
        monkeypatch.setenv("SECRET_MANAGER_EMULATOR_HOST", running.address)
        running.versions = {f"{KEY}/versions/3": VALUE.encode(), f"{KEY}/versions/4": b"another-value\n"}
        yield running


def declare(tree: Tree, source: str) -> None:
    """The app's description has the secret in it, which the service returns."""
    project = (tree.root / "cesplan.yaml").read_text()
    tree.write("cesplan.yaml", f"{project}variables: {{key: {{secret: {{from: '{source}'}}}}}}\n")
    tree.replace("apps/help-desk/app.yaml", "displayName", "description: Key ${key}.\ndisplayName")


def allow(monkeypatch: pytest.MonkeyPatch, *patterns: str) -> None:
    monkeypatch.setenv("CESPLAN_ALLOW_SECRETS", ",".join(patterns))


def description(service: EmbeddedEmulator) -> str:
    app = service.store.get("projects/acme-dev/locations/us/apps/help-desk")
    assert app is not None
    return str(app.body["description"])


def is_silent(ran: Ran) -> bool:
    return VALUE not in ran.text


def test_an_allowed_version_is_read_once_and_applied(
    tree: Tree, service: EmbeddedEmulator, cesplan: Run, manager: SecretManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A plan, its file and its apply; then a plan of nothing. No output and no file has the value."""
    declare(tree, f"{KEY}/versions/3")
    allow(monkeypatch, KEY)
    planned = cesplan("plan", "--out", "plan.json", "--full", "--debug")
    assert planned.code == 0
    assert [path for path, _ in manager.seen] == [f"/v1/{KEY}/versions/3:access"]
    assert "authorization" not in manager.seen[0][1]
    assert f"/v1/{KEY}/versions/3:access → 200, 0 bytes" in planned.err
    applied = cesplan("apply", "plan.json")
    assert (applied.code, description(service)) == (0, f"Key {VALUE}.")
    again = cesplan("plan", "--detailed-exitcode")
    assert again.code == 0
    assert all(map(is_silent, (planned, applied, again)))
    assert VALUE not in (tree.root / "plan.json").read_text()
    assert len(manager.seen) == 3


def test_what_only_reads_files_reads_no_secret(
    tree: Tree, service: EmbeddedEmulator, cesplan: Run, manager: SecretManager
) -> None:
    """And needs no permission."""
    declare(tree, f"{KEY}/versions/3")
    for words in (["validate"], ["render"], ["graph"]):
        assert cesplan(*words).code == 0
    assert manager.seen == []


@pytest.mark.parametrize("allowed", ["", "projects/acme-dev/secrets/other", f"{KEY}/versions/4", "file:/run/*"])
def test_a_tree_cannot_have_what_was_not_allowed(
    allowed: str,
    tree: Tree,
    service: EmbeddedEmulator,
    cesplan: Run,
    manager: SecretManager,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A pull request that names another secret is refused before anything is asked."""
    declare(tree, f"{KEY}/versions/3")
    allow(monkeypatch, allowed)
    for words in (["plan"], ["apply", "--auto-approve"], ["drift"], ["pull", "help-desk"], ["pull", "--merge"]):
        ran = cesplan(*words)
        assert ran.code == 5, words
        assert KEY in ran.text, words
    assert "CESPLAN_ALLOW_SECRETS=" in ran.err
    assert manager.seen == []


def test_the_environment_wins(
    tree: Tree, service: EmbeddedEmulator, cesplan: Run, manager: SecretManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that planning may have a placeholder, without any permission."""
    declare(tree, f"{KEY}/versions/3")
    monkeypatch.setenv("CESPLAN_SECRET_key", "placeholder")
    assert cesplan("apply", "--auto-approve").code == 0
    assert (description(service), manager.seen) == ("Key placeholder.", [])


@pytest.mark.parametrize("in_git", [True, False])
def test_another_version_is_a_change_of_the_tree(
    in_git: bool,
    tree: Tree,
    service: EmbeddedEmulator,
    cesplan: Run,
    manager: SecretManager,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Not a live edit, although the older version is not read again; the value has no final newline."""
    declare(tree, f"{KEY}/versions/3")
    allow(monkeypatch, f"{KEY}/versions/*")
    if in_git:
        for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "Version 3"]):
            git(tree, *words)
    assert cesplan("apply", "--auto-approve").code == 0
    assert cesplan("drift").code == 0
    tree.replace("cesplan.yaml", "versions/3", "versions/4")
    manager.seen.clear()
    assert cesplan("drift").code == 0
    ran = cesplan("apply", "--auto-approve")
    assert (ran.code, description(service)) == (0, "Key another-value.")
    assert is_silent(ran)
    assert {path for path, _ in manager.seen} == {f"/v1/{KEY}/versions/4:access"}


def test_a_pinned_version_is_its_own_rotation_marker(tree: Tree, cesplan: Run) -> None:
    from cesplan.config.tree.load import load

    declare(tree, f"{KEY}/versions/3")
    loaded = load(tree.root)
    assert loaded.desired is not None
    assert loaded.desired.rotations == {"key": "3"}
    tree.replace("cesplan.yaml", "versions/3", "versions/latest")
    loaded = load(tree.root)
    assert loaded.desired is not None
    assert loaded.desired.rotations == {}


@pytest.mark.parametrize(
    ("answer", "code", "said"),
    [
        ((403, "PERMISSION_DENIED", ""), 6, "roles/secretmanager.secretAccessor"),
        ((403, "PERMISSION_DENIED", "SERVICE_DISABLED"), 6, "gcloud services enable secretmanager"),
        ((404, "NOT_FOUND", ""), 1, f"Secret Manager has no {KEY}/versions/3."),
        ((400, "FAILED_PRECONDITION", ""), 1, "disabled or destroyed"),
        (b"\xff\xfe", 1, "is not text in UTF-8"),
        (b"\n", 1, "is empty"),
        (b"x" * 65_537, 1, "larger than 64 KiB"),
        ("damaged", 1, "checksum (CRC-32C) does not match"),
    ],
)
def test_what_cannot_be_read_is_said(
    answer: bytes | tuple[int, str, str] | str,
    code: int,
    said: str,
    tree: Tree,
    service: EmbeddedEmulator,
    cesplan: Run,
    manager: SecretManager,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    declare(tree, f"{KEY}/versions/3")
    allow(monkeypatch, "projects/acme-dev/secrets/*")
    if isinstance(answer, str):
        manager.damaged.add(f"{KEY}/versions/3")
    else:
        manager.versions[f"{KEY}/versions/3"] = answer
    ran = cesplan("plan")
    assert (ran.code, ran.out) == (code, "")
    assert said in " ".join(ran.err.split())
    assert is_silent(ran)


def test_a_run_against_an_emulator_asks_no_real_secret_manager(
    tree: Tree, service: EmbeddedEmulator, cesplan: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    declare(tree, f"{KEY}/versions/3")
    allow(monkeypatch, KEY)
    ran = cesplan("plan")
    assert ran.code == 7
    assert "CESPLAN_SECRET_key" in ran.err


def test_a_file_outside_the_checkout(
    tree: Tree,
    service: EmbeddedEmulator,
    cesplan: Run,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = tmp_path_factory.mktemp("run")
    (folder / "crm").write_text(f"{VALUE}\n")
    declare(tree, f"file:{folder}/crm")
    assert cesplan("plan").code == 5
    allow(monkeypatch, f"file:{folder}/*")
    ran = cesplan("apply", "--auto-approve")
    assert (ran.code, description(service)) == (0, f"Key {VALUE}.")
    assert is_silent(ran)
    (folder / "crm").unlink()
    ran = cesplan("plan")
    assert (ran.code, ran.out) == (1, "")
    assert "Could not read the secret `key` from" in ran.err


def test_a_file_that_the_tree_brings_is_refused(
    tree: Tree,
    service: EmbeddedEmulator,
    cesplan: Run,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It may be a link to any other file of whoever runs cesplan."""
    private = tmp_path_factory.mktemp("home") / "id_rsa"
    private.write_text(VALUE)
    (tree.root / "crm").symlink_to(private)
    declare(tree, f"file:{tree.root}/crm")
    allow(monkeypatch, f"file:{tree.root}/*")
    ran = cesplan("plan")
    assert (ran.code, ran.out) == (1, "")
    assert "inside the tree's repository" in ran.err


@pytest.mark.parametrize(
    "source",
    [
        "projects/p/secrets/s",
        "projects/p/secrets/../versions/1",
        "file:relative",
        "file:/run/../etc/passwd",
        "http://x",
    ],
)
def test_a_source_of_no_form_is_an_error_of_the_tree(source: str, tree: Tree, cesplan: Run) -> None:
    """What stands there may be the secret itself, so it is not shown."""
    declare(tree, source)
    ran = cesplan("validate")
    assert ran.code == 7
    assert "CES029" in ran.text
    assert source not in ran.text


def test_what_is_no_list_of_secrets_is_wrong_usage(
    tree: Tree, service: EmbeddedEmulator, cesplan: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for text in ("*", "projects/*/secrets/*", "file:run", "projects/p/secrets/s/versions/1/more"):
        allow(monkeypatch, text)
        assert cesplan("plan").code == 64


def test_a_plan_file_names_the_source(
    tree: Tree, service: EmbeddedEmulator, cesplan: Run, manager: SecretManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pipeline that applies it needs the permission again."""
    declare(tree, f"{KEY}/versions/3")
    allow(monkeypatch, KEY)
    assert cesplan("plan", "--out", "plan.json").code == 0
    needs = json.loads((tree.root / "plan.json").read_text())["apply"]
    assert (needs["variables"], needs["secret_sources"]) == (["key"], {"key": f"{KEY}/versions/3"})
    monkeypatch.delenv("CESPLAN_ALLOW_SECRETS")
    ran = cesplan("apply", "plan.json")
    assert (ran.code, ran.out) == (5, "")


def test_google_own_client_takes_the_stand_in_for_secret_manager(manager: SecretManager) -> None:
    """The stand-in is judged by google-cloud-secret-manager: name, bytes and checksum are the same."""
    library = pytest.importorskip("google.cloud.secretmanager_v1")
    from google.auth.credentials import AnonymousCredentials

    transport = library.services.secret_manager_service.transports.SecretManagerServiceRestTransport(
        host=manager.address, url_scheme="http", credentials=AnonymousCredentials()
    )
    client = library.SecretManagerServiceClient(transport=transport)
    found = client.access_secret_version(name=f"{KEY}/versions/3")
    assert (found.name, found.payload.data) == (f"{KEY}/versions/3", VALUE.encode())
    assert found.payload.data_crc32c == crc32c(VALUE.encode())


def test_the_checksum_is_that_of_the_standard() -> None:
    """The check value of CRC-32C in the catalog of parametrized CRC algorithms; RFC 3720, appendix B.4."""
    assert crc32c(b"123456789") == 0xE3069283
    assert crc32c(bytes(32)) == 0x8A9136AA


def test_a_secret_that_was_not_read_is_never_sent(service: EmbeddedEmulator) -> None:
    """Whatever forgets to read it fails before the request."""
    settings = Settings(place=Place(project="acme-dev", location="us"))
    unread = Secret(("key",), f"{UNREAD}key")
    with connect(settings, emulator=service.address, read_only=False) as client:
        with pytest.raises(CesplanError, match="was not read"):
            client.create(kind_of("apps"), settings.place.name, "help-desk", {"description": unread}, print)
        assert client.list_apps(settings.place) == ()


def test_what_passes_is_tried_again(manager: SecretManager) -> None:
    """With waits between, and an end."""
    name = f"{KEY}/versions/3"
    manager.versions[name] = (503, "UNAVAILABLE", "")
    version = SecretVersion(project="acme-dev", secret="crm-key", version="3")
    slept: list[float] = []
    with pytest.raises(Unavailable, match="it answered 503, tried 5 times"):
        access(version, endpoint=secrets_endpoint(manager.address), login=None, clock=Clock(sleep=slept.append))
    assert (len(manager.seen), len(slept)) == (5, 4)


def test_a_stand_in_must_be_on_this_machine() -> None:
    """Or a value would come from anyone, in clear."""
    for address in ("secrets.acme.example:80", "10.0.0.7:80", "https://evil.invalid"):
        with pytest.raises(ValueError, match="on this machine"):
            secrets_endpoint(address)
