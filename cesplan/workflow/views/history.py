"""The history of the apps of a tree: their change logs as applies, and the edits between them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path

from cesplan.config.committed import subjects_of
from cesplan.domain.address import AppKey
from cesplan.domain.choice import Choice, unmatched
from cesplan.domain.desired import Desired, DesiredApp
from cesplan.domain.errors import ApiError, UsageError
from cesplan.domain.frozen import dataclass
from cesplan.domain.live import LiveResource
from cesplan.domain.naming import Naming
from cesplan.domain.settings import Settings
from cesplan.domain.text.times import moment
from cesplan.domain.text.words import did_you_mean
from cesplan.domain.value import Body
from cesplan.engine.comparing.match import match_apps
from cesplan.engine.comparing.value_redactor import ValueRedactor
from cesplan.engine.pulling.lookup import find_app
from cesplan.features.history.log_entries import is_about
from cesplan.features.timeline.grouping import Past, happenings
from cesplan.features.timeline.naming import EntryNames
from cesplan.features.timeline.values import Happening, Timeline
from cesplan.remote.client import Client
from cesplan.workflow.connecting import GOOGLE, Connection, connected
from cesplan.workflow.live_app.target import AppTarget, desired_of_target

MOST_READ = 500
"""
Entries of one app that are read whole, on the app itself, where the stamps are; and as many of targets.

At the usual quota of 600 reads a minute this takes about a minute.
"""

_MOST_KEPT = 20
"""Whole entries in memory: one may be read for its stamp, and again soon after for its fields."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryChoice:
    """
    Which part of a history: at most `limit` events (0: all), since a moment, of authors, of some resources.

    `authors` are patterns of e-mail addresses in which `*` stands for anything, `targets` those of addresses;
    empty: all.
    """

    limit: int = 0
    since: datetime | None = None
    authors: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()

    def is_by(self, author: str) -> bool:
        """Whether an author is asked for."""
        folded = author.casefold()
        return not self.authors or any(fnmatchcase(folded, item.casefold()) for item in self.authors)


def history(target: AppTarget, choice: HistoryChoice, connection: Connection = GOOGLE) -> Timeline:
    """
    What happened to the app of a target, or without one to all apps of the tree, newest first.

    Takes one request for the list of apps, one for each 1,000 entries of a log until the choice is filled, and
    one for each entry on an app itself. Raises UsageError, InvalidConfiguration, and what the service answers.
    """
    desired = desired_of_target(target)
    settings = connection.at(desired.settings)
    secrets = desired.secrets
    with connected(connection, settings, read_only=True, secrets=secrets) as client:
        apps, notices = _apps(target, desired, client.list_apps(settings.place))
        logs = [_Log(item, tree, desired, choice, client) for item, tree in apps if item.name]
        found: list[Happening] = []
        for log in logs:
            found += log.newest()
            notices += log.notices()
        requests = client.requests
    found.sort(key=lambda item: (_moment(item.last), item.number), reverse=True)
    kept = found[: choice.limit] if choice.limit else found
    _check_targets(choice, desired, found)
    shown = [_redacted(item, ValueRedactor(secrets)) for item in _with_subjects(kept, target.tree.folder)]
    return Timeline(
        settings=settings,
        apps=tuple(log.key for log in logs),
        happenings=tuple(shown),
        has_more=len(found) > len(kept) or any(log.has_more for log in logs),
        notices=tuple(notices),
        entries=sum(log.entries for log in logs),
        requests=requests,
    )


def _apps(
    target: AppTarget, desired: Desired, live: tuple[LiveResource, ...]
) -> tuple[list[tuple[LiveResource, DesiredApp | None]], list[str]]:
    """The live apps with what the tree has of them, and what to say of those that are not there."""
    by_key = {app.key: app for app in desired.apps}
    matched = match_apps(desired, live)
    if target.app or not desired.apps:
        if not target.app:
            raise UsageError(summary="Name the app with --app.", detail="The tree has no app.")
        item = find_app(target.app, desired, live)
        key = next((key for key, found in matched.live.items() if found.name == item.name), None)
        return [(item, by_key.get(key) if key else None)], []
    found: list[tuple[LiveResource, DesiredApp | None]] = [
        (matched.live[key], by_key[key]) for key in by_key if key in matched.live
    ]
    missing = [f"{key} is not live: it has no history" for key in by_key if key not in matched.live]
    return found, missing


class _Log:
    """The change log of one app, read as far as it is needed."""

    def __init__(
        self,
        app: LiveResource,
        tree: DesiredApp | None,
        desired: Desired,
        choice: HistoryChoice,
        client: Client,
    ) -> None:
        self.key = tree.key if tree else AppKey(app.id)
        self.entries = 0
        self.has_more = False
        self._app = app
        self._names = EntryNames(self.key, tree)
        self._settings: Settings = desired.settings
        self._choice = choice
        self._client = client
        self._trouble = ""
        self._looked = {"app": 0, "resources": 0}
        self._whole: dict[str, Body] = {}

    def newest(self) -> list[Happening]:
        """The events that were asked for, newest first; one more than the limit shows that there are more."""
        targets = self._choice.targets
        only = Choice(only=targets).includes if targets else None
        past = Past(
            app_name=self._app.name,
            names=self._names,
            naming=Naming(place=self._settings.place, app_id=self._app.id),
            read=self._read,
            only=only,
        )
        events = filter(self._is_selected, happenings(past, self._since()))
        if not self._choice.limit:
            return [*events]
        found = [*islice(events, self._choice.limit)]
        self.has_more = len(found) == self._choice.limit and next(events, None) is not None
        return found

    def notices(self) -> Iterator[str]:
        """What could not be known."""
        if self._trouble:
            yield f"{self.key}: the change log cannot be read whole: {self._trouble}"
        if (unread := self._looked["app"] - MOST_READ) > 0:
            yield (
                f"{self.key}: {unread:,} older entries of the app were not looked into, so applies among them "
                "count as edits. Use --since or --limit for less."
            )
        if (unread := self._looked["resources"] - MOST_READ) > 0:
            yield f"{self.key}: the fields of {unread:,} older edits are not shown. Use --since or --limit."
        if not self._trouble and not self.entries and self._choice.since is None:
            yield f"{self.key}: the change log has no entry"

    def _is_selected(self, item: Happening) -> bool:
        return self._choice.is_by(item.author)

    def _since(self) -> Iterator[Body]:
        try:
            for entry in self._client.each_change(self._app.name):
                time, since = str(entry.get("createTime", "")), self._choice.since
                if since is not None and time and _moment(time) < since:
                    return
                self.entries += 1
                yield entry
        except ApiError as error:
            if not self.entries:
                raise
            self._trouble = error.summary

    def _read(self, entry: Body) -> Body:
        name = str(entry.get("name", ""))
        if name in self._whole:
            return self._whole[name]
        if not name.startswith(f"{self._app.name}/changelogs/"):
            return {}  # not an entry of this log, whatever the service says
        what = "app" if is_about(entry, self._app.name) else "resources"
        self._looked[what] += 1
        if self._looked[what] > MOST_READ:
            return {}
        try:
            whole = self._client.read(name)
        except ApiError as error:
            self._trouble = self._trouble or error.summary
            whole = {}
        if len(self._whole) >= _MOST_KEPT:
            self._whole.pop(next(iter(self._whole)))
        self._whole[name] = whole
        return whole


def _check_targets(choice: HistoryChoice, desired: Desired, found: Iterable[Happening]) -> None:
    """Raises UsageError for a target that neither the tree nor the log knows."""
    known = desired.addresses | {item.address for event in found for item in event.touched}
    for pattern in unmatched(choice.targets, known):
        hint = did_you_mean(pattern, map(str, known))
        raise UsageError(summary=f"Neither the tree nor the change log has {pattern}.{hint}")


def _with_subjects(found: Iterable[Happening], folder: Path) -> Iterator[Happening]:
    events = [*found]
    subjects: Mapping[str, str] = subjects_of(folder, (item.commit for item in events))
    return (replace(item, subject=subjects.get(item.commit, "")) for item in events)


def _redacted(item: Happening, redactor: ValueRedactor) -> Happening:
    """Without the secrets of the tree, which a text of the log may quote."""
    name: Callable[[str], str] = redactor.name
    touched = (replace(one, display_name=name(one.display_name), note=name(one.note)) for one in item.touched)
    return replace(item, subject=name(item.subject), touched=tuple(touched))


def _moment(time: str) -> datetime:
    return moment(time) or datetime.min.replace(tzinfo=UTC)
