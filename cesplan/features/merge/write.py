"""Writes a merge after the resulting tree is proven valid in every environment."""

from collections.abc import Mapping
from dataclasses import replace

from cesplan.config.discovery import ENVIRONMENTS
from cesplan.config.editing.layer_choice import edit_layers
from cesplan.config.editing.overlaying import Overlay
from cesplan.config.editing.resource_edits import Edited, ResourceEdit
from cesplan.config.writing.app_files import app_keys
from cesplan.config.writing.saving import remove, save
from cesplan.domain.address import Address, AppKey
from cesplan.domain.desired import DesiredApp
from cesplan.domain.errors import InvalidConfiguration
from cesplan.domain.features.merge import MergeOutcome
from cesplan.domain.frozen import dataclass
from cesplan.domain.text.conflict_markers import line_of_markers
from cesplan.domain.value import Body, canonical_text
from cesplan.engine.comparing.normalize import normalize
from cesplan.engine.pulling.compare import Compared
from cesplan.features.merge.app import AppWork, MergeTree
from cesplan.features.merge.new_files import folder_of, more_silences, new_files
from cesplan.features.merge.proof import MergeProof
from cesplan.features.merge.resources import MergedApp
from cesplan.model.kinds import kind_of

Silences = Mapping[Address, Mapping[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeFiles:
    """Files to write (also `of` each app) and to remove, and what files cannot express, by app."""

    written: Mapping[str, str]
    of: Mapping[AppKey, Mapping[str, str]]
    removed: tuple[str, ...]
    refused: Mapping[AppKey, Mapping[tuple[str, str], str]]


def write_merge(tree: MergeTree, works: list[AppWork], requests: int, *, check: bool) -> MergeOutcome:
    """Write the proven files. Checks that live resources violate are silenced in their file."""
    silences: Silences = {}
    stuck: dict[Address, str] = {}
    found = _merge_files(tree, works, silences, stuck, frozenset())
    proof = _prove(tree, found)
    while True:  # silencing one finding may reveal the next
        more = _more_silences(works, proof, silences)
        new = {name: why for name, why in _stuck(tree, works, proof, found).items() if name not in stuck}
        if not (more or new):
            break
        silences, stuck = more or silences, {**stuck, **new}
        found = _merge_files(tree, works, silences, stuck, frozenset(found.written))
        proof = _prove(tree, found)
    if proof.errors:
        raise InvalidConfiguration(
            summary="The merged tree would have errors. Nothing was written.",
            detail="Exclude the resources that cause them with --exclude, or merge them by hand.",
            diagnostics=proof.errors,
        )
    by_app = {work.compared.app.key: work for work in works}
    merged = MergeOutcome(
        root=tree.root,
        apps=tuple(work.report(found.refused[key], found.of[key]) for key, work in by_app.items()),
        written=tuple(sorted(found.written)),
        removed=found.removed,
        touched=proof.touched,
        is_check=check,
        requests=requests,
    )
    if check or not (found.written or found.removed):
        return merged
    save(tree.root, found.written)
    remove(tree.root, found.removed)
    return replace(merged, diagnostics=proof.diagnostics)


def _prove(tree: MergeTree, found: MergeFiles) -> MergeProof:
    """The proof of everything that is written; texts with markers count as they were, being decided later."""
    whole = {path: text for path, text in found.written.items() if not (tree.markers and line_of_markers(text))}
    return tree.prover.prove(whole, found.removed)


def _more_silences(works: list[AppWork], proof: MergeProof, known: Silences) -> Silences:
    """
    The codes that files have to silence because the service takes more than the checks, `known` ones included.

    Empty if there is nothing more to silence.
    """
    used = [
        item
        for work in works
        for item in (work.compared.tree.all() if work.compared.tree else ())
        if item.address in work.bodies
    ]
    new = [item for work in works for item in work.fresh.app.all() if item.address in work.fresh.new]
    return more_silences(known, proof.errors, [*used, *new])


def _stuck(tree: MergeTree, works: list[AppWork], proof: MergeProof, found: MergeFiles) -> dict[Address, str]:
    """Resources whose layered files do not produce the merged result, because of a patch."""
    marked = {item.address for work in works for item in work.result.merged if item.has_markers}
    layered = {item.address: item.layers for item in tree.files if item.layers and item.address not in marked}
    open_ = {address for refused in found.refused.values() for address, _ in refused}
    return {
        address: f"{layered[address][-1]} overrides its file: edit one of them"
        for work in works
        for address, body in work.bodies.items()
        if address in layered and str(address) not in open_
        if _canonical(address, proof.bodies.get(address, {}), work) != _canonical(address, body, work)
    }


def _canonical(address: Address, body: Body, work: AppWork) -> str:
    """A text that is equal for equivalent bodies; a null above a shared field does not count as a field."""
    return canonical_text(normalize(kind_of(address.kind).spec, body, work.compared.naming).body)


def _merge_files(
    tree: MergeTree,
    works: list[AppWork],
    silences: Silences,
    stuck: Mapping[Address, str],
    mine: frozenset[str],
) -> MergeFiles:
    """The files of all apps. `mine` are files of this merge, whose names new resources may have."""
    written: dict[str, str] = {}
    removed: list[str] = []
    of, refused = {}, {}
    for work in works:
        edited = _edit(tree, work, silences, stuck)
        to_remove, left_out = _removed(tree, [item.address for item in work.result.fates if item.removes_file])
        folder = folder_of(work.compared.app.key, tree.loaded)
        if tree.only_here and tree.environment and not folder.startswith(f"{ENVIRONMENTS}/"):
            folder = f"{ENVIRONMENTS}/{tree.environment}/{folder}"
        new = new_files(work.fresh, folder, tree.root, tree.environment, silences, mine)
        of[work.compared.app.key] = {**edited.files, **new, **left_out}
        written |= of[work.compared.app.key]
        removed += to_remove
        refused[work.compared.app.key] = edited.refused
    return MergeFiles(written=written, of=of, removed=tuple(removed), refused=refused)


def _edit(tree: MergeTree, work: AppWork, silences: Silences, stuck: Mapping[Address, str]) -> Edited:
    """The edits of files that both sides have; `stuck` ones stay unchanged."""
    files = {item.address: item for item in tree.files}
    edits = [
        ResourceEdit(
            file=files[item.address],
            body=item.body,
            extra=item.extra,
            add_id=work.ids.get(item.address, ""),
            silence=silences.get(item.address, {}),
        )
        for item in work.result.merged
        if (item.is_changed or item.address in work.ids) and item.address not in stuck
    ]
    after = _after(work.compared, work.result)
    keys = app_keys(after, work.compared.app.resources)
    overlay = Overlay(tree.root, keys, environment=tree.environment, variables=tree.variables)
    edited = edit_layers(edits, tree.files, keys, overlay, only_here=tree.only_here)
    refused = {(str(address), ""): why for address, why in stuck.items() if address in work.bodies}
    return replace(edited, refused={**edited.refused, **refused})


def _after(compared: Compared, result: MergedApp) -> DesiredApp:
    """The app of the tree with the bodies that the merge gave it."""
    assert compared.tree is not None
    bodies: dict[Address, Body] = {item.address: item.body for item in result.merged}
    app = compared.tree
    return replace(app, app=replace(app.app, body=bodies.get(app.app.address, app.app.body)))


def _removed(tree: MergeTree, removed: list[Address]) -> tuple[tuple[str, ...], dict[str, str]]:
    """
    The files of removed resources, with texts that nothing else uses, and files that exclude others. A resource
    that is gone live in one environment may exist in others: it is excluded from the one, and its files stay.
    """
    going = [item for item in tree.files if item.address in removed]
    kept = {text.path for item in tree.files if item.address not in removed for text in item.included.values()}
    texts = {text.path for item in going for text in item.included.values()} - kept
    paths = {*(path for item in going for path in item.paths), *texts}
    if not (tree.environment and tree.prover.others):
        return tuple(sorted(paths)), {}
    folder = f"{ENVIRONMENTS}/{tree.environment}/"
    shared = [item.path for item in going if not item.path.startswith(folder)]
    left_out = {f"{folder}{path}": "$exclude: true\n" for path in shared}
    own = {path for path in paths if path.startswith(folder)}
    return tuple(sorted(own - left_out.keys())), left_out
