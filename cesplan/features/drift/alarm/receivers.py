"""Receivers and keepers of one run: webhooks by their URLs, and the memory by its name."""

import hashlib
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from cesplan.config.files import read_regular
from cesplan.config.writing.outputs import check_output_file
from cesplan.config.writing.whole_files import PRIVATE, write_whole
from cesplan.domain.errors import CesplanError, UsageError
from cesplan.domain.frozen import dataclass
from cesplan.domain.service.endpoint import Endpoint
from cesplan.domain.text.words import in_sentence
from cesplan.features.drift.alarm.announcement import Announcement
from cesplan.features.drift.alarm.memory import Keeper, Kept, WrittenMeanwhile
from cesplan.features.drift.alarm.messages import NotifyFormat, format_for, payload
from cesplan.remote.clock import Clock
from cesplan.remote.other_services.request import Login
from cesplan.remote.other_services.storage_object import (
    GenerationMoved,
    ObjectName,
    StorageObject,
    parse_object_name,
    storage_endpoint,
)
from cesplan.remote.other_services.webhook import Webhook, parse_webhook, post

MOST_RECEIVERS = 10
_OBJECT = "gs://"
MOST_BYTES = 8 * 1024 * 1024
_NOTHING = "nothing"
"""The version of a file that does not exist."""


@dataclass(frozen=True, slots=True)
class StateFile:
    """
    A file as a keeper. Its version is a digest of its content. Next to it is an empty file `.NAME.lock`, which
    runs on one machine lock during a write.
    """

    path: Path

    @property
    def name(self) -> str:
        return str(self.path)

    def read(self) -> Kept:
        try:
            data = read_regular(self.path, MOST_BYTES)
        except FileNotFoundError:
            return Kept(text=None, version=_NOTHING)
        except OSError as error:
            raise self._unusable("read", error) from error
        return Kept(text=data.decode("utf-8", "replace"), version=hashlib.sha256(data).hexdigest())

    def write(self, text: str, version: str) -> str:
        check_output_file(self.path)
        try:
            with _locked(self.path.with_name(f".{self.path.name}.lock")):
                if self.read().version != version:
                    raise WrittenMeanwhile
                write_whole(self.path, text, mode=PRIVATE)
        except OSError as error:
            raise self._unusable("written", error) from error
        return hashlib.sha256(text.encode()).hexdigest()

    def _unusable(self, what: str, error: OSError) -> CesplanError:
        reason = in_sentence(error.strerror or str(error))
        return CesplanError(summary=f"The state file {self.path} cannot be {what}: {reason}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookReceiver:
    """A webhook that gets messages in one form."""

    name: str
    webhook: Webhook
    form: NotifyFormat
    clock: Clock

    def post(self, message: Announcement) -> str:
        return post(self.webhook, payload(message, self.form), id=message.id, clock=self.clock)


def webhook_receivers(urls: Sequence[str], format_: NotifyFormat, clock: Clock) -> tuple[WebhookReceiver, ...]:
    """
    A receiver for each URL, named by its host, with a number from the second of a host on.

    Raises UsageError, which says which of them is wrong by its position and never quotes it.
    """
    if len(urls) > MOST_RECEIVERS:
        raise UsageError(
            summary=f"At most {MOST_RECEIVERS} webhooks can be notified, but these are {len(urls)}."
        )
    hosts: Counter[str] = Counter()
    found = []
    for number, url in enumerate(urls, 1):
        try:
            webhook = parse_webhook(url)
        except ValueError as error:
            which = "The webhook" if len(urls) == 1 else f"Webhook {number}"
            raise UsageError(summary=f"{which} of --notify or CESPLAN_NOTIFY is not usable: {error}.") from None
        host = str(webhook)
        hosts[host] += 1
        name = f"{host} #{hosts[host]}" if hosts[host] > 1 else host
        form = format_for(webhook.endpoint.host, format_)
        found.append(WebhookReceiver(name=name, webhook=webhook, form=form, clock=clock))
    return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class StateObject:
    """An object of Cloud Storage as a keeper; its version is its generation."""

    object_name: ObjectName
    storage: StorageObject

    @property
    def name(self) -> str:
        return str(self.object_name)

    def read(self) -> Kept:
        text, generation = self.storage.read()
        return Kept(text=text, version=generation)

    def write(self, text: str, version: str) -> str:
        try:
            return self.storage.write(text, version)
        except GenerationMoved:
            raise WrittenMeanwhile from None


@dataclass(frozen=True, slots=True, kw_only=True)
class StatePlace:
    """The location of the state, before it is opened."""

    file: Path | None = None
    object_name: ObjectName | None = None


def parse_state(text: str) -> StatePlace:
    """The place that `--state` names: a file, or `gs://BUCKET/OBJECT`. Raises UsageError for any other URL."""
    if text.startswith(_OBJECT):
        try:
            return StatePlace(object_name=parse_object_name(text))
        except ValueError as error:
            raise UsageError(summary=f"`{text}` is not an object of Cloud Storage: {error}.") from None
    if "://" in text:
        raise UsageError(summary=f"`{text}` is not a state file.", detail="Name a file, or gs://BUCKET/OBJECT.")
    return StatePlace(file=Path(text).absolute())


def keeper_of(
    place: StatePlace, *, login: Login | None, clock: Clock, emulator: str = "", quota_project: str = ""
) -> Keeper:
    """
    The keeper of a place; `login` is needed for an object outside of an emulator.

    `emulator` is the value of STORAGE_EMULATOR_HOST. Raises UsageError for one that is not on this machine.
    """
    if place.object_name is None:
        assert place.file is not None
        return StateFile(place.file)
    storage = StorageObject(
        place.object_name,
        endpoint=storage_of(emulator),
        login=login,
        quota_project=quota_project,
        clock=clock,
    )
    return StateObject(object_name=place.object_name, storage=storage)


def storage_of(emulator: str) -> Endpoint:
    """Cloud Storage, or its emulator. Raises UsageError for one that is not on this machine."""
    try:
        return storage_endpoint(emulator)
    except ValueError as error:
        raise UsageError(summary=f"STORAGE_EMULATOR_HOST is not usable: {error}.") from None


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold a lock on this machine while the context lasts; it ends with the process. Raises OSError."""
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    descriptor = os.open(path, flags, PRIVATE)
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_LOCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
