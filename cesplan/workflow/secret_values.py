"""
Secret values: what `secret: {from: …}` of a tree names, read from Secret Manager or a file.

A source is read only where the user allowed it outside the tree, and only by what compares with live or writes:
a check of the files alone reads none. Each is read once a run.
"""

import os
from collections.abc import Mapping
from pathlib import Path

from cesplan.config.git import repository_of
from cesplan.config.tree.load import Loaded
from cesplan.domain.errors import CesplanError, InvalidConfiguration, Refused
from cesplan.domain.lazily import lazily
from cesplan.domain.service.secret_source import (
    SecretFile,
    SecretSource,
    SecretVersion,
    is_allowed,
    parse_source,
)
from cesplan.remote.credentials import default_credentials
from cesplan.workflow.connecting import Connection

with lazily():
    from cesplan.remote.other_services import secret_manager

EMULATOR = "SECRET_MANAGER_EMULATOR_HOST"
"""In the environment: `host:port` of a stand-in of Secret Manager on this machine."""


def with_secrets(loaded: Loaded, connection: Connection) -> Loaded:
    """
    The tree with the values of its secrets; as it is where it has errors, or names no source.

    Raises Refused for a source that is not allowed, before anything is read, and what Secret Manager answers.
    """
    if loaded.desired is None or not loaded.desired.sources or loaded.reload is None:
        return loaded
    return loaded.reload(read_sources(loaded.desired.sources, connection, loaded.root))


def read_sources(sources: Mapping[str, str], connection: Connection, root: Path | None) -> dict[str, str]:
    """
    The values by source; `sources` are those by the names of variables, `root` the folder of the tree.

    Raises as `with_secrets` does, and CesplanError for a value that cannot be one.
    """
    try:
        parsed = {name: parse_source(text) for name, text in sorted(sources.items())}
    except ValueError as error:  # in a plan file; a tree was checked when it was read
        raise CesplanError(summary=f"A secret has an unusable source: {error}.") from error
    _check_allowed(parsed, connection)
    found: dict[str, str] = {}
    for name, source in parsed.items():
        text = str(source)
        if text not in connection.secret_values:
            connection.secret_values[text] = _text(source, _bytes(name, source, connection, root))
        found[text] = connection.secret_values[text]
    return found


def _check_allowed(sources: Mapping[str, SecretSource], connection: Connection) -> None:
    refused = {
        str(source.secret_name if isinstance(source, SecretVersion) else source): name
        for name, source in sources.items()
        if not is_allowed(source, connection.allowed_secrets)
    }
    if not refused:
        return
    listed = ",".join([*sorted(connection.allowed_secrets), *sorted(refused)])
    raise Refused(
        summary=f"The secret {', '.join(sorted(refused))} is not allowed. Nothing was read.",
        reasons=(
            *(f"the variable `{name}` is from {source}" for source, name in sorted(refused.items())),
            "It would be read with your credentials and sent into an app.",
            f"If you trust the tree with it: CESPLAN_ALLOW_SECRETS={listed} in the environment.",
        ),
    )


def _bytes(name: str, source: SecretSource, connection: Connection, root: Path | None) -> bytes:
    match source:
        case SecretFile():
            return _of_file(name, source, root)
        case SecretVersion():
            return _of_secret_manager(name, source, connection)


def _of_file(name: str, source: SecretFile, root: Path | None) -> bytes:
    path = Path(source.path)
    try:
        if root is not None and _is_in_checkout(path, root):
            raise CesplanError(
                summary=f"The file of the secret `{name}` is inside the tree's repository.",
                detail=f"{source.path} could come from the tree itself, as a link to another file. Keep it "
                "outside the checkout.",
            )
        with path.open("rb") as file:
            return file.read(secret_manager.MOST_BYTES + 1)
    except OSError as error:
        raise CesplanError(
            summary=f"Could not read the secret `{name}` from {source.path}: {error.strerror or error}."
        ) from error


def _is_in_checkout(path: Path, root: Path) -> bool:
    repository = repository_of(root)
    top = repository.top if repository else root.resolve()
    return path.parent.resolve().is_relative_to(top)


def _of_secret_manager(name: str, source: SecretVersion, connection: Connection) -> bytes:
    emulator = os.environ.get(EMULATOR, "")
    if connection.emulator and not emulator:
        raise InvalidConfiguration(
            summary=f"The secret `{name}` is in Secret Manager, which a run against an emulator does not ask.",
            detail=f"Set any value with CESPLAN_SECRET_{name}.",
        )
    try:
        endpoint = secret_manager.secrets_endpoint(emulator)
    except ValueError as error:
        raise CesplanError(summary=f"{EMULATOR} is not usable: {error}.") from error
    return secret_manager.access(
        source,
        endpoint=endpoint,
        login=None if emulator else default_credentials(connection.impersonate),
        quota_project=connection.quota_project,
        log=connection.log,
    )


def _text(source: SecretSource, data: bytes) -> str:
    """The value as text. Like the text of a `$file`, it does not include one final newline."""
    if len(data) > secret_manager.MOST_BYTES:
        raise CesplanError(summary=f"{source} is larger than {secret_manager.MOST_BYTES // 1024} KiB.")
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise CesplanError(summary=f"{source} is not text in UTF-8.") from None
    text = text.removesuffix("\n").removesuffix("\r")
    if not text:
        raise CesplanError(summary=f"{source} is empty.")
    return text
