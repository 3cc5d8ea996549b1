"""Opening: combining the layers of one resource into a mapping, which is then read like a single file."""

from collections.abc import Iterator

from cesplan.config.files import Files, named_beside
from cesplan.config.overlays.layers import Layers, Opened
from cesplan.config.overlays.merging import merged, placed
from cesplan.config.report import SourceFile
from cesplan.config.resource.values import EXCLUDE, FILE, PROTECT
from cesplan.config.yaml.nodes import Mapping, Node, mappings_in, plain, text_of


def open_layers(layers: Layers, files: Files) -> Opened | None:
    """Combine the layers; None if one of them cannot be read, which is reported."""
    read = [files.mapping(path) for path in (layers.base, layers.over) if path]
    found = [item for item in read if item is not None]
    if len(found) < len(read):
        return None
    (file, root), *uppers = found
    mentioned = frozenset(path for item in found for path in _mentioned(*item))
    for source, over in uppers:
        placed(over, source)
        root = merged(root, over)
    if layers.patch:
        patched = _patched(file, root, layers.patch, files)
        if patched is None:
            return None
        root = patched
    return Opened(file=file, root=root, layers=layers.upper, mentioned=mentioned)


def texts_of(path: str, files: Files) -> frozenset[str]:
    """The texts that a resource file names; none if it cannot be read."""
    found = files.mapping(path)
    return frozenset(_mentioned(*found)) if found else frozenset()


def leaves_out(layers: Layers, files: Files) -> bool:
    """Whether the overlay says `$exclude: true`. Reports invalid uses of `$exclude`."""
    found = files.mapping(layers.over) if layers.over else None
    switch = found[1].entries.get(EXCLUDE) if found else None
    if found is None or switch is None:
        return False
    source, root = found
    key, value = switch
    problem = detail = ""
    node: Node = key
    if plain(value) is not True:
        problem, node = "`$exclude` must be true", value
    elif not layers.base:
        problem = "`$exclude` has no effect: the tree has no such file"
    elif len(root.entries) > 1:
        problem = "`$exclude` must be the only key in the file"
    elif layers.patch:
        problem = f"`$exclude` cannot be combined with {layers.patch}"
    elif _is_protected(layers.base, files):
        problem = f"`$exclude` cannot leave out a resource that {layers.base} protects"
        detail = (
            "Without a file, the resource would be deleted. Remove `$protect: true` from the base and set it "
            "in the environments that have the resource."
        )
    if problem:
        files.report.add("CES024", problem, source.spot_of(node), detail=detail)
    return True


def _is_protected(path: str, files: Files) -> bool:
    found = files.mapping(path)
    node = found[1].get(PROTECT) if found else None
    return node is not None and plain(node) is True


def _patched(file: SourceFile, root: Mapping, path: str, files: Files) -> Mapping | None:
    from cesplan.config.overlays.patching import patched  # imports jsonpatch, which few trees need

    operations = files.sequence(path)
    if operations is None:
        return None
    placed(operations[1], operations[0])
    return patched(root, file, operations[1], files.report)


def _mentioned(source: SourceFile, root: Node) -> Iterator[str]:
    """All texts that a file includes with `$file`, relative to the root of the tree."""
    for node in mappings_in(root):
        if (named := text_of(node.get(FILE))) is not None:
            yield named_beside(source.path, named)
