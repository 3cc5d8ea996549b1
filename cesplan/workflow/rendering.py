"""Rendering: a tree as it is once an environment is chosen, with nothing left to expand but secrets."""

from collections.abc import Iterator
from dataclasses import field
from typing import Any

from cesplan.config.resource.references import Keys
from cesplan.config.tree.load import Loaded
from cesplan.config.writing.app_files import app_keys
from cesplan.config.writing.emitting import document
from cesplan.config.writing.shaping import Shaping
from cesplan.domain.choice import EVERYTHING, Choice, unmatched
from cesplan.domain.desired import Desired, DesiredResource
from cesplan.domain.errors import UsageError
from cesplan.domain.frozen import dataclass
from cesplan.domain.settings import Settings
from cesplan.domain.text.words import did_you_mean
from cesplan.model.spec import FieldSpec
from cesplan.workflow.validating import desired_of


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedResource:
    """A resource, and the files that say it: its own first, then what lies over it."""

    resource: DesiredResource
    files: tuple[str, ...]
    keys: Keys = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedTree:
    """The chosen resources of a tree, apps before what lives in them, otherwise by address."""

    settings: Settings
    resources: tuple[RenderedResource, ...]


def rendered(loaded: Loaded, choice: Choice = EVERYTHING) -> RenderedTree:
    """
    The resources of a tree, with everything expanded.

    Raises InvalidConfiguration for a tree with errors, UsageError for a pattern that means nothing.
    """
    desired = desired_of(loaded)
    everything = tuple(_resources(desired, _files(loaded)))
    addresses = [item.resource.address for item in everything]
    slips = unmatched((*choice.only, *choice.exclude), addresses)
    if slips:
        hint = did_you_mean(slips[0], map(str, addresses))
        raise UsageError(summary=f"`{slips[0]}` matches no resource in the tree.{hint}")
    chosen = tuple(item for item in everything if choice.includes(item.resource.address))
    return RenderedTree(settings=desired.settings, resources=chosen)


def yaml_text(tree: RenderedTree) -> str:
    """One YAML document a resource, in the form of its file; secrets are references to their variables."""
    return "---\n".join(map(_document, tree.resources))


class _FullReferences(Shaping):
    """References with their kind, so that each says what it is."""

    def reference(self, known: FieldSpec, text: str) -> Any:
        shortest = super().reference(known, text)
        return text if text.endswith(f"/{shortest}") and known.reference is not None else shortest


def _document(item: RenderedResource) -> str:
    shaped = _FullReferences(keys=item.keys).resource(item.resource)
    return f"# {item.resource.address}\n# {', '.join(item.files)}\n{document(shaped)}"


def _resources(desired: Desired, files: dict[str, tuple[str, ...]]) -> Iterator[RenderedResource]:
    for item in desired.location_resources:
        yield RenderedResource(resource=item, files=files[str(item.address)], keys=Keys())
    for app in desired.apps:
        keys = app_keys(app)
        for item in app.all():
            yield RenderedResource(resource=item, files=files[str(item.address)], keys=keys)


def _files(loaded: Loaded) -> dict[str, tuple[str, ...]]:
    tree = loaded.tree
    if tree is None:
        return {}
    everything = [*tree.location_resources, *(item for app in tree.apps for item in app.all())]
    return {str(item.address): item.paths for item in everything}
