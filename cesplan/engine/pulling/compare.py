"""Live resources in the form of files, compared with the tree."""

from collections.abc import Iterable
from dataclasses import replace

from cesplan.domain.address import APPS, Address, AppKey, app_address
from cesplan.domain.app_metadata.stamp import id_mark
from cesplan.domain.choice import Choice
from cesplan.domain.desired import Desired, DesiredApp, DesiredResource
from cesplan.domain.frozen import dataclass
from cesplan.domain.live import Live, LiveApp, LiveResource
from cesplan.domain.naming import Naming
from cesplan.domain.options import PlanOptions
from cesplan.domain.plan import Action, Operation
from cesplan.engine.comparing.copies import address_of
from cesplan.engine.comparing.match import Matched, match_resources
from cesplan.engine.comparing.stamp import stamp_of
from cesplan.engine.comparing.value_redactor import ValueRedactor
from cesplan.engine.planning.plan import plan
from cesplan.engine.pulling.extract import extract, extractable
from cesplan.engine.pulling.keys import key_unclaimed
from cesplan.model.kinds import kind_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """
    An app in the form of files (`app`), compared with a tree.

    `known` are the addresses of everything in the tree and live, chosen or not. `tree` is the app in the tree,
    None if it is new. `new` are resources without a file. `differing` are those whose file differs, each with
    the fields. `matched` and `naming` identify the resources, and the `redactor` the secrets.
    """

    app: DesiredApp
    tree: DesiredApp | None
    live: LiveApp
    matched: Matched
    naming: Naming
    new: frozenset[Address]
    differing: tuple[tuple[Address, tuple[str, ...]], ...]
    only_in_tree: tuple[Address, ...]
    equal: int
    notices: tuple[str, ...]
    redactor: ValueRedactor
    known: frozenset[Address] = frozenset()


def compare(key: AppKey, live: LiveApp, desired: Desired, choice: Choice, redactor: ValueRedactor) -> Compared:
    """
    The chosen resources of a live app, compared with the tree's app of this key.

    The `redactor` knows the secrets of the whole tree.
    """
    tree = next((app for app in desired.apps if app.key == key), None)
    ids = stamp_of(live, desired.settings.place).ids
    matched = match_resources(
        tree or _blank(key, live),
        live,
        desired.settings.place,
        lambda kind, resource_id: id_mark(kind, resource_id) in ids,
    )
    resources = extractable(live, matched.naming)
    named = key_unclaimed(matched, resources, tree, lambda item: _nameless(item, redactor))
    chosen, naming = _chosen(key, resources, matched, named, choice)
    extracted = extract(key, live.app, chosen, naming, _owned_metadata(tree), redactor)
    app = extracted.app
    operations = _differences(tree, live, desired) if tree else ()
    mine = {item.address for item in tree.all()} if tree else set()
    selected = [item for item in app.all() if choice.includes(item.address)]
    differing = tuple(
        (item.address, tuple(str(change.path) for change in item.changes))
        for item in operations
        if choice.includes(item.address)
    )
    new = frozenset(item.address for item in selected if item.address not in mine)
    left_out = _left_out(key, resources, chosen, named, tree) if not choice.is_everything else ()
    return Compared(
        app=app,
        tree=tree,
        live=live,
        matched=matched,
        naming=naming,
        new=new,
        differing=differing,
        only_in_tree=_only_in_tree(matched, live, choice) if tree else (),
        equal=len(selected) - len(new) - len(differing),
        redactor=redactor,
        notices=(*extracted.notices, *left_out),
        known=frozenset({app_address(key), *mine, *(address_of(item, key, named) for item in resources)}),
    )


def _blank(key: AppKey, live: LiveApp) -> DesiredApp:
    """An app that the tree does not have yet, matched with this live app."""
    return DesiredApp(
        key=key, app=DesiredResource(address=app_address(key), body={}, file="", resource_id=live.app.id)
    )


def _nameless(item: LiveResource, redactor: ValueRedactor) -> LiveResource:
    """The resource without a display name that contains a secret, so that its key does not reveal it."""
    return replace(item, body={**redactor.redact(item.body), "name": item.name})


def _chosen(
    key: AppKey, resources: tuple[LiveResource, ...], matched: Matched, named: Naming, choice: Choice
) -> tuple[tuple[LiveResource, ...], Naming]:
    """The chosen resources. The others are referred to by id, unless the tree has them."""
    known = set(matched.naming.ids)
    chosen = tuple(item for item in resources if choice.includes(address_of(item, key, named)))
    kept = {(item.kind, named.key_of(item.kind, item.id)) for item in chosen} | known
    ids = {pair: id_ for pair, id_ in named.ids.items() if pair in kept}
    return chosen, named.with_ids(ids)


def _owned_metadata(tree: DesiredApp | None) -> frozenset[str]:
    """The keys of the app's metadata that the tree sets."""
    metadata = tree.app.body.get(kind_of(APPS).stamp_field) if tree else None
    return frozenset(metadata) if isinstance(metadata, dict) else frozenset()


def _differences(tree: DesiredApp, live: LiveApp, desired: Desired) -> tuple[Operation, ...]:
    """The updates that a plan of the tree would make."""
    alone = replace(desired, apps=(tree,), location_resources=(), notices=())
    draft_plan = plan(
        alone, Live(apps={tree.key: live}), PlanOptions(adopt=True, prune=False, allow_drop_unknown=True)
    )
    return tuple(item for item in draft_plan.shown if item.action is Action.UPDATE and item.changes)


def _only_in_tree(matched: Matched, live: LiveApp, choice: Choice) -> tuple[Address, ...]:
    addresses = (match.desired.address for match in matched.matches if match.live is None)
    return tuple(item for item in addresses if item.kind in live.children and choice.includes(item))


def _left_out(
    key: AppKey,
    resources: Iterable[LiveResource],
    chosen: Iterable[LiveResource],
    named: Naming,
    tree: DesiredApp | None,
) -> tuple[str, ...]:
    """
    Notices for live resources that were not chosen and would be pruned, because the tree has their folder.
    """
    selected = {item.name for item in chosen}
    folders = {item.kind for item in chosen} | (set(tree.folders) if tree else set())
    mine = {item.address for item in tree.all()} if tree else set()
    texts = (
        str(address)
        for item in resources
        if item.name not in selected
        and item.kind in folders
        and kind_of(item.kind).prunable
        and (address := address_of(item, key, named)) not in mine
    )
    return tuple(
        f"{text} was skipped, but the tree has a folder for its kind, so pruning would delete it"
        for text in texts
    )
