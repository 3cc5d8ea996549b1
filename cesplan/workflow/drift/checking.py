"""
Checking a fleet: trees are read one after the other, their apps concurrently, and the result is one report.
Only a few apps are checked at a time and only their differences are kept, so memory grows with the report, not
with the live resources. A failure becomes the error of its app or tree in the report; the rest continues.
"""

import threading
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import closing, nullcontext
from dataclasses import field, replace
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic

from cesplan.config.files import read_report
from cesplan.config.source import read_source
from cesplan.config.suggestions import nearest, refuse_unmatched
from cesplan.config.tree.load import AppFilter, load_app_files
from cesplan.domain.address import Address
from cesplan.domain.desired import Desired, DesiredApp
from cesplan.domain.diagnostic import Diagnostic, Severity
from cesplan.domain.errors import CesplanError, Interrupted, InvalidConfiguration, UsageError
from cesplan.domain.features.drift import AppDrift, DriftReport
from cesplan.domain.frozen import dataclass
from cesplan.domain.live import Live, LiveResource
from cesplan.domain.options import PlanOptions
from cesplan.domain.resource_name import Place
from cesplan.domain.service.side_by_side import ATTENTION, result_of, side_by_side
from cesplan.domain.text.times import timestamp
from cesplan.engine.comparing.match import MatchedApps, match_apps
from cesplan.engine.comparing.value_redactor import ValueRedactor
from cesplan.features.drift.alarm.ignoring import Rules, with_ignored
from cesplan.features.drift.filters import DriftFilter, named_apps
from cesplan.features.drift.shards import WHOLE, Shard, app_order, joined
from cesplan.features.former_apps.former_app import FormerApp, former_apps, former_drift
from cesplan.remote.connecting import Shared
from cesplan.workflow.connecting import GOOGLE, Connection
from cesplan.workflow.drift.app import NOTHING, Checked, Listing, check_app, check_location
from cesplan.workflow.secret_values import with_secrets
from cesplan.workflow.validating import TreeTarget, desired_of

_NO_FILTER = DriftFilter()
_WORKERS = 4
"""
Apps that are checked concurrently; each reads its kinds concurrently, so that a few use up the request rate.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeToCheck:
    """One environment of one tree; `connection` says where its service is."""

    tree: TreeTarget
    name: str
    """The folder as it was given."""
    connection: Connection = GOOGLE


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftOptions:
    """What to check, and which part to report."""

    apps: tuple[str, ...] = ()
    """Patterns of app keys; empty: all."""
    filter: DriftFilter = _NO_FILTER
    shard: Shard = WHOLE
    quick: bool = False
    """Whether to read only the resources that change logs name, if that is enough."""

    @property
    def is_narrow(self) -> bool:
        """Whether only part of the drift of its apps is reported, apart from shards."""
        chosen = self.filter
        return bool(self.apps or chosen.since or chosen.authors or not chosen.choice.is_everything)


class Watcher:
    """Receives the progress of a check. Called from several threads."""

    def findings(self, tree: TreeToCheck, found: Sequence[Diagnostic]) -> None:
        """The problems of a tree."""

    def checked(self, done: int, known: int, app: AppDrift) -> None:
        """An app was checked; `known` grows as trees are read."""


def check_drift(
    trees: Sequence[TreeToCheck],
    options: DriftOptions = DriftOptions(),
    watcher: Watcher | None = None,
    *,
    shared: Shared | None = None,
) -> DriftReport:
    """
    Check the apps of all trees. Writes nothing.

    With `shared`, other clients use the same connections, and its clock can stop the check. Raises UsageError
    for patterns that match nothing in any tree, and Interrupted.
    """
    started = monotonic()
    started_at = datetime.now(UTC)
    now = timestamp(started_at)
    with nullcontext(shared) if shared else closing(Shared()) as ours:
        fleet = _Fleet(options, watcher or Watcher(), ours)
        apps = fleet.check(trees)
    fleet.refuse_slips()
    report = DriftReport(
        apps=tuple(sorted(apps, key=app_order)),
        checked_at=now,
        seconds=round(monotonic() - started, 3),
        shard="" if options.shard.count == 1 else str(options.shard),
    )
    return with_ignored(report, fleet.rules, today=started_at.date(), is_whole=not options.is_narrow)


def join_reports(paths: Sequence[Path]) -> DriftReport:
    """
    The report of all shards.

    Raises UsageError for a file that is not a drift report of this format, for a missing or duplicate shard,
    and for reports of different runs.
    """
    from cesplan.render.machine.formats.drift import read_drift  # lazily: pydantic is for JSON alone

    return joined([read_report(path, read_drift, "a drift report") for path in paths])


class _Fleet:
    """One check: the shared state of its parts, and the results so far."""

    def __init__(self, options: DriftOptions, watcher: Watcher, shared: Shared) -> None:
        self._options = options
        self._watcher = watcher
        self._shared = shared
        self._lock = threading.Lock()
        self._under_way = threading.BoundedSemaphore(2 * _WORKERS)
        self._listed: dict[tuple[str, Place], Listing] = {}
        self._found: list[AppDrift] = []
        self._keys: set[str] = set()
        self._addresses: set[Address] = set()
        self._planned = 0
        self._is_whole = True
        self._rules: dict[str, Rules] = {}

    @property
    def rules(self) -> tuple[Rules, ...]:
        """The ignore rules of each tree."""
        return tuple(self._rules.values())

    def check(self, trees: Iterable[TreeToCheck]) -> list[AppDrift]:
        """The results, in no particular order."""
        with side_by_side(_WORKERS, self._shared.clock.halt.request) as pool:
            futures = []
            for tree in trees:
                try:
                    for work in self._works(tree):
                        while not self._under_way.acquire(timeout=ATTENTION):
                            pass
                        futures.append(pool.submit(self._run, work))
                except CesplanError as error:
                    self._keep(_failed(tree, error))
            for future in futures:
                result_of(future)  # a defect must not look like an app without drift
        return self._found

    def refuse_slips(self) -> None:
        """
        Raises UsageError for a pattern that matches nothing, unless an unreadable app or tree might match it.
        """
        if not self._is_whole or self._options.shard.count > 1:
            return
        for pattern in self._options.apps:
            if not named_apps([pattern], self._keys):
                correction = nearest(pattern, self._keys)
                raise UsageError(
                    summary=f"`{pattern}` matches no app of the tree."
                    + (f" Did you mean `{correction}`?" if correction else "")
                )
        refuse_unmatched(self._options.filter.choice, self._addresses)

    def _works(self, tree: TreeToCheck) -> Iterator["_Work"]:
        """The parts of one tree that this run checks."""
        keys = _Keys(self._is_chosen)
        loaded = tree.tree.validate(chosen=keys.is_requested)
        self._watcher.findings(tree, loaded.diagnostics)
        loaded = with_secrets(loaded, tree.connection)
        self._rules[tree.name] = Rules(root=tree.name, rules=loaded.ignore_rules)
        found = desired_of(loaded)
        settings = tree.connection.at(found.settings)
        desired = replace(
            found, settings=settings, source=read_source(loaded.root, "") if loaded.root else found.source
        )
        self._remember(desired)
        # An export is read whole: it is one app.
        apps = tuple(app for app in desired.apps if keys.is_requested(settings.place, app.key))
        has_location = self._has_location(desired)
        seeks_former = self._seeks_former(desired, keys.found)
        if not apps and not has_location and not seeks_former:
            return
        checked = Checked(
            tree=tree.name,
            loaded=loaded,
            desired=desired,
            connection=tree.connection,
            shared=self._shared,
            options=PlanOptions(quick=self._options.quick),
        )
        listing = self._list(checked) if apps or seeks_former else NOTHING
        matched = match_apps(desired, listing.apps)
        former = self._former(checked, listing, matched, keys.found) if seeks_former else ()
        with self._lock:
            self._planned += len(apps) + len(former) + has_location
        for app in apps:
            yield _Work(tree=checked, app=app, listing=listing.of(app, matched))
        for item in former:
            yield _Work(tree=checked, former=item, listing=replace(listing, apps=(item.app,)))
        if has_location:
            yield _Work(tree=checked)

    def _is_chosen(self, place: Place, key: str) -> bool:
        """Whether an app is requested and belongs to this shard. The files of other apps are not read."""
        return self._is_named(key) and self._is_ours(place, key)

    def _is_named(self, key: str) -> bool:
        self._keys.add(key)
        return bool(named_apps(self._options.apps, [key]))

    def _seeks_former(self, desired: Desired, keys: Collection[str]) -> bool:
        """
        Whether to look for former apps of a tree: only in the shard with its first app, which lists them
        anyway. If apps are named, only if one of the names is not an app of the tree.
        """
        if not keys or not self._is_ours(desired.settings.place, min(keys)):
            return False
        patterns = self._options.apps
        return not patterns or not all(named_apps([pattern], keys) for pattern in patterns)

    def _former(
        self, tree: Checked, listing: Listing, matched: MatchedApps, keys: Collection[str]
    ) -> tuple[FormerApp, ...]:
        """The requested former apps of a tree; `keys` are those of all its apps."""
        found = _former_of(tree, listing.apps, matched, is_whole=len(keys) == len(tree.desired.apps))
        return tuple(item for item in found if self._is_named(item.address.app))

    def _has_location(self, desired: Desired) -> bool:
        place = desired.settings.place
        is_requested = bool(desired.location_resources) and not self._options.apps
        return is_requested and self._is_ours(place, f"@{place.location}")

    def _is_ours(self, place: Place, name: str) -> bool:
        return self._options.shard.has(place.project, place.location, name)

    def _remember(self, desired: Desired) -> None:
        """Collect what patterns can match, besides apps."""
        if not self._options.filter.choice.is_everything:
            self._addresses |= desired.addresses

    def _list(self, tree: Checked) -> Listing:
        """The live apps of a place, listed once for all its trees."""
        settings = tree.desired.settings
        key = (settings.where, settings.place)
        if key not in self._listed:
            with tree.client() as client:
                self._listed[key] = Listing(apps=client.list_apps(settings.place), at=monotonic())
        return self._listed[key]

    def _run(self, work: "_Work") -> None:
        """Check one app of one tree. Its error is part of the report."""
        tree = work.tree
        try:
            found = work.check()
        except Interrupted:
            raise
        except CesplanError as error:
            found = tree.described(AppDrift(app=work.name, error=_summary_of(error), exit_code=error.exit_code))
        finally:
            self._under_way.release()
        self._keep(found)

    def _keep(self, found: AppDrift) -> None:
        with self._lock:
            self._is_whole &= not found.error
            if not self._options.filter.choice.is_everything:
                self._addresses |= {item.address for item in found.items} | {*found.unmanaged}
            found = self._options.filter.filtered(found)
            self._found.append(found)
            self._watcher.checked(len(self._found), max(self._planned, len(self._found)), found)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Work:
    """One app of a tree, or a former one; without either, the location's resources."""

    tree: Checked
    app: DesiredApp | None = None
    listing: Listing = NOTHING
    former: FormerApp | None = None

    @property
    def name(self) -> str:
        """The name in the report."""
        if self.app is not None:
            return self.app.key
        if self.former is not None:
            return self.former.address.app
        return f"@{self.tree.desired.settings.place.location}"

    def check(self) -> AppDrift:
        """The drift. Raises errors of the service."""
        if self.app is not None:
            return check_app(self.tree, self.app, self.listing)
        if self.former is not None:
            return _check_former(self.tree, self.former, self.listing)
        return check_location(self.tree)


@dataclass(slots=True)
class _Keys:
    """The keys of the apps that a tree has, noted as it is read."""

    chosen: AppFilter
    found: set[str] = field(default_factory=set)

    def is_requested(self, place: Place, key: str) -> bool:
        """Whether an app is requested."""
        self.found.add(key)
        return self.chosen(place, key)


def _failed(tree: TreeToCheck, error: CesplanError) -> AppDrift:
    """A tree that could not be checked at all."""
    return AppDrift(
        app="",
        tree=tree.name,
        environment=tree.tree.environment,
        error=_summary_of(error),
        exit_code=error.exit_code,
    )


def _summary_of(error: CesplanError) -> str:
    """An error in the report; all problems of a tree would be too long."""
    if isinstance(error, InvalidConfiguration) and error.diagnostics:
        errors = sum(1 for item in error.diagnostics if item.severity is Severity.ERROR)
        first = next(item for item in error.diagnostics if item.severity is Severity.ERROR)
        more = f" (and {errors - 1:,} more errors)" if errors > 1 else ""
        return f"The tree has errors: {first.place}: {first.summary}{more}"
    return str(error)


def _former_of(
    tree: Checked, listed: Sequence[LiveResource], matched: MatchedApps, *, is_whole: bool
) -> tuple[FormerApp, ...]:
    """
    The former apps of a tree among the listed ones; `matched` are those that match the apps read so far. If
    that is not the whole tree, the app files of the others are read if needed. If one of them has errors, there
    are no former apps: it may match any.
    """
    desired, root = tree.desired, tree.loaded.root
    found = _former(desired, listed, matched)
    if is_whole or not found or root is None:
        return found
    settings = desired.settings
    apps = load_app_files(root, environment=settings.environment, variables=tree.loaded.variables)
    if apps is None:
        return ()
    whole = replace(desired, apps=apps)
    return _former(whole, listed, match_apps(whole, listed))


def _check_former(tree: Checked, former: FormerApp, listing: Listing) -> AppDrift:
    """The drift of a former app, or nothing if it has been deleted. Raises errors of the service."""
    with tree.client() as client:
        found = AppDrift(app=former.address.app, former=True)
        if listing.fresh(client):
            found = former_drift(former, client, ValueRedactor(tree.desired.secrets))
        return tree.described(replace(found, requests=client.requests))


def _former(desired: Desired, listed: Sequence[LiveResource], matched: MatchedApps) -> tuple[FormerApp, ...]:
    matched_names = {item.name for item in matched.live.values()}
    matched_names |= {item.name for doubt in matched.unclear for item in doubt.live}
    return former_apps(
        desired, Live(unclaimed=tuple(item for item in listed if item.name not in matched_names))
    )
