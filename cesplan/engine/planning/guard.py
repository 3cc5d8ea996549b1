"""
The guard: what needs explicit permission, checked for the whole plan before the first write.

It covers mass deletes that a mistake can cause (an emptied folder, an incomplete checkout), resources that need
individual permission, and locks. Each reason has the numbers, the addresses, and the exact flag.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from cesplan.domain.address import Address, AppKey, Key, KindName
from cesplan.domain.choice import Choice
from cesplan.domain.frozen import dataclass
from cesplan.domain.live import Live, LiveApp, LiveResource
from cesplan.domain.options import Allowances
from cesplan.domain.plan import Action, Operation, Plan, Reason
from cesplan.domain.settings import Deletes
from cesplan.domain.text.words import count, some_of
from cesplan.engine.comparing.stamp import stamp_of
from cesplan.engine.planning.draft import PROTECTED, PROTECTED_BEFORE
from cesplan.model.kinds import KINDS, kind_of

FEW = 3
"""Up to this many deletes of one kind in an app are always allowed, unless none would be left."""

MOST_PERCENT = 30
"""Up to this percentage of a kind too."""

_MOST_NAMES = 10


def guard(plan: Plan, live: Live, allowances: Allowances) -> tuple[str, ...]:
    """Why the plan must not be applied, one line per reason, sorted; empty if it may be."""
    deletes = [item for item in plan.operations if item.action is Action.DELETE]
    reasons = [
        *_locked(plan, live, allowances),
        *_protected(deletes, plan.settings.protect),
        *_protected_inside(deletes, plan, live),
        *_guarded(deletes, plan.settings.deletes, allowances),
        *_masses(plan, deletes, live, allowances),
        *_emptied_apps(plan, deletes, live, allowances),
    ]
    return tuple(sorted(reasons))


def _locked(plan: Plan, live: Live, allowances: Allowances) -> Iterator[str]:
    """Writes in a locked app, which refuses changes to itself and its contents."""
    if allowances.unlock:
        return
    written = {item.address for item in plan.operations if item.reason is not Reason.LOCKED}
    counts = Counter(address.app for address in written)
    for app in sorted(counts):
        if app in live.apps and _is_locked(live.apps[app].app):
            yield (
                f"{app} is locked, and the plan writes {count(counts[app], 'resource')} in it: "
                "use --allow-unlock to unlock it and lock it again afterwards"
            )


def _is_locked(app: LiveResource) -> bool:
    field = kind_of(app.kind).lock_field
    return bool(field and app.body.get(field))


def _protected(deletes: Iterable[Operation], patterns: Sequence[str]) -> Iterator[str]:
    """Deletes of protected resources. No flag allows them; the protection must be removed first."""
    for operation in deletes:
        if PROTECTED in operation.notes:
            yield (
                f"{operation.address} would be deleted, but its file says `$protect: true`: "
                "remove that line first"
            )
        if PROTECTED_BEFORE in operation.notes:
            yield (
                f"{operation.address} would be deleted, but its file said `$protect: true` when it was last "
                "applied: restore the file without that line, apply, then delete it"
            )
        for pattern in patterns:
            if Choice(only=(pattern,)).names(operation.address):
                yield (
                    f"{operation.address} would be deleted, but `protect` in cesplan.yaml lists `{pattern}`: "
                    "remove that line first"
                )


def _protected_inside(deletes: Iterable[Operation], plan: Plan, live: Live) -> Iterator[str]:
    """Deletes of apps that contain protected resources."""
    for operation in deletes:
        app = live.apps.get(operation.address.app)
        if not kind_of(operation.address.kind).container or app is None:
            continue
        stamped = stamp_of(app, plan.settings.place).protected
        for item in (item for _, items in sorted(app.children.items()) for item in items):
            address = Address(app=operation.address.app, kind=item.kind, key=Key(item.id))
            if f"{item.kind}/{item.id}" in stamped:
                yield (
                    f"{operation.address} would be deleted with {address}, whose file said `$protect: true` "
                    "when it was last applied: restore the files without that line, apply, then delete it"
                )
            for pattern in plan.settings.protect:
                if Choice(only=(pattern,)).names(address):
                    yield (
                        f"{operation.address} would be deleted with {address}, and `protect` in cesplan.yaml "
                        f"lists `{pattern}`: remove that line first"
                    )


def _guarded(deletes: Iterable[Operation], setting: Deletes, allowances: Allowances) -> Iterator[str]:
    """Deletes that must be allowed by name: of some kinds, or of all if cesplan.yaml says so."""
    for operation in deletes:
        kind = kind_of(operation.address.kind)
        if str(operation.address) in allowances.delete:
            continue
        if kind.guarded_delete:
            why = f"{_article(kind.singular)} is only deleted by name"
        elif setting is Deletes.REFUSE:
            why = "cesplan.yaml says `deletes: refuse`"
        else:
            continue
        yield (
            f"{operation.address} would be deleted, but {why}: allow it with --allow-delete {operation.address}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Group:
    """The deletes of one kind in one app, except those allowed by name, and the number of live resources."""

    app: AppKey
    kind: KindName
    deletes: tuple[Operation, ...]
    live: int
    creates: int

    @property
    def is_mass(self) -> bool:
        return len(self.deletes) > FEW and len(self.deletes) * 100 > self.live * MOST_PERCENT

    @property
    def is_emptied(self) -> bool:
        return len(self.deletes) >= self.live and not self.creates


def _masses(plan: Plan, deletes: Iterable[Operation], live: Live, allowances: Allowances) -> Iterator[str]:
    if allowances.mass_delete:
        return
    for group in _groups(plan, deletes, live, allowances):
        if not (group.is_emptied or group.is_mass):
            continue
        of_live = f"{len(group.deletes)} of {group.live} {group.kind}"
        rule = "that is all of them" if group.is_emptied else f"more than {FEW} and than {MOST_PERCENT}%"
        yield (
            f"{group.app}: {of_live} would be deleted ({rule}): {_names(group.deletes)}; "
            "allow it with --allow-mass-delete"
        )


def _groups(plan: Plan, deletes: Iterable[Operation], live: Live, allowances: Allowances) -> Iterator[_Group]:
    by_kind: dict[tuple[AppKey, KindName], list[Operation]] = defaultdict(list)
    for operation in deletes:
        if str(operation.address) not in allowances.delete:
            by_kind[operation.address.app, operation.address.kind].append(operation)
    created = Counter((o.address.app, o.address.kind) for o in plan.operations if o.action is Action.CREATE)
    for (app, kind), items in sorted(by_kind.items()):
        if app in live.apps and kind in live.apps[app].children:
            yield _Group(
                app=app,
                kind=kind,
                deletes=tuple(items),
                live=len(live.apps[app].children[kind]),
                creates=created[app, kind],
            )


def _emptied_apps(
    plan: Plan, deletes: Sequence[Operation], live: Live, allowances: Allowances
) -> Iterator[str]:
    """Apps that the tree has without any resources: probably a lost folder."""
    if allowances.empty:
        return
    deleted = Counter(item.address.app for item in deletes if item.address.kind in _listed_kinds(live, item))
    filled = {item.address.app for item in plan.operations if item.action is Action.CREATE}
    for app in sorted(deleted):
        if deleted[app] >= _prunable(live.apps[app]) and app not in filled:
            yield (
                f"{app}: the tree has no resources for this app, and all {deleted[app]} of its live resources "
                "would be deleted; allow it with --allow-empty"
            )


def _listed_kinds(live: Live, operation: Operation) -> Iterable[KindName]:
    """The kinds that were listed in the app of an operation."""
    app = live.apps.get(operation.address.app)
    return app.children if app else ()


def _prunable(app: LiveApp) -> int:
    """The number of live resources that a tree could have, not counting those that the service creates."""
    return sum(
        1
        for kind, items in app.children.items()
        for item in items
        if KINDS[kind].prunable and not KINDS[kind].is_made_by_service(item.body)
    )


def _names(operations: Sequence[Operation]) -> str:
    return some_of([str(item.address) for item in operations], _MOST_NAMES)


def _article(noun: str) -> str:
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"
