"""Writes a merge after the resulting tree is proven valid in every environment."""

from dataclasses import replace

from cesplan.config.writing.saving import remove, save
from cesplan.domain.address import Address
from cesplan.domain.errors import InvalidConfiguration
from cesplan.domain.features.merge import MergeOutcome
from cesplan.domain.text.conflict_markers import line_of_markers
from cesplan.domain.value import Body, canonical_text
from cesplan.engine.comparing.normalize import normalize
from cesplan.features.merge.app import AppWork
from cesplan.features.merge.files import MergeFiles, Silences, merge_files
from cesplan.features.merge.new_files import more_silences
from cesplan.features.merge.proof import MergeProof
from cesplan.features.merge.tree import MergeTree
from cesplan.model.kinds import kind_of


def write_merge(tree: MergeTree, works: list[AppWork], requests: int, *, check: bool) -> MergeOutcome:
    """Write the proven files. Checks that live resources violate are silenced in their file."""
    silences: Silences = {}
    stuck: dict[Address, str] = {}
    found = merge_files(tree, works, silences, stuck, frozenset())
    proof = _prove(tree, found)
    while True:  # silencing one finding may reveal the next
        more = _more_silences(works, proof, silences)
        new = {name: why for name, why in _stuck(tree, works, proof, found).items() if name not in stuck}
        if not (more or new):
            break
        silences, stuck = more or silences, {**stuck, **new}
        found = merge_files(tree, works, silences, stuck, frozenset(found.written))
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
