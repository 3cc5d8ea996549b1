"""
Places: the place of a field path in a resource file.

Most files have no findings, and nodes take ten times the memory of the text, so they are dropped after a file
is read. If a place is requested, the text is composed again.
"""

from functools import lru_cache

from cesplan.config.files import BOM, Files
from cesplan.config.manifest import Spot
from cesplan.config.report import SourceFile
from cesplan.config.yaml.composing import compose
from cesplan.config.yaml.nodes import Mapping, Node, Scalar, Sequence, YamlMark
from cesplan.domain.field_path import Element, Entry, FieldPath, Index, Segment
from cesplan.domain.frozen import dataclass


@dataclass(frozen=True, slots=True)
class OnDisk:
    """
    A file whose text is not held: after it was read, hardly any text is needed again, and together they are as
    large as all that the files say. `mark` is the hash of the text that was read.
    """

    path: str
    mark: int
    files: Files

    @classmethod
    def of(cls, file: SourceFile, files: Files) -> "OnDisk":
        """A file that was just read."""
        return cls(file.path, hash(file.text), files)

    @property
    def opened(self) -> SourceFile:
        """The file with its text; without one if it is no longer as it was read."""
        text = self.files.text_again(self.path).removeprefix(BOM)
        return _source(self.path, text if hash(text) == self.mark else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """
    Locates values of one resource. For a path without a value it returns the nearest value around it.

    `root` is None if the nodes can be composed again from the text; the nodes of a resource with layers are
    kept. `start` and `end` are the marks of the root, because findings about a resource as a whole are the most
    common.
    """

    file: SourceFile | OnDisk
    start: YamlMark
    end: YamlMark
    root: Mapping | None = None

    @classmethod
    def of(cls, file: SourceFile, root: Mapping) -> "Places":
        """The places of a resource whose nodes the text of the file alone does not produce."""
        return cls(file=file, start=root.start, end=root.end, root=root)

    def spot(self, path: FieldPath) -> Spot:
        """The place of a value."""
        return self._spot(path, at_key=False)

    def key_spot(self, path: FieldPath) -> Spot:
        """The place of a value's key, or of the value if it has no key, as in lists."""
        return self._spot(path, at_key=True)

    def _spot(self, path: FieldPath, *, at_key: bool) -> Spot:
        file = self.file if isinstance(self.file, SourceFile) else self.file.opened
        root: Node | None = self.root
        if root is None:
            root = _composed(file.text) if path.segments or at_key else None
        if root is None:
            return file.spot(self.start, self.end)
        key, value = _found(root, path)
        return file.spot_of(key if key is not None and at_key else value)


def _found(node: Node, path: FieldPath) -> tuple[Scalar | None, Node]:
    key: Scalar | None = None
    for segment in path.segments:
        found = _step(node, segment)
        if found is None:
            break
        key, node = found
    return key, node


@lru_cache(maxsize=1)
def _source(path: str, text: str) -> SourceFile:
    """A file, which knows its lines once it is asked for one. Cached for the same reason as the nodes."""
    return SourceFile(path, text)


@lru_cache(maxsize=1)
def _composed(text: str) -> Node | None:
    """The nodes of a text. Cached, because findings come file by file."""
    return compose(text).root


def _step(node: Node, segment: Segment) -> tuple[Scalar | None, Node] | None:
    match node, segment:
        case Mapping(), str(name) | Entry(name):
            return node.entries.get(name) or node.entries.get(f"${name}")
        case Sequence(), Index(position) if position < len(node.items):
            return None, node.items[position]
        case Sequence(), Element():
            found = next((item for item in node.items if _is_element(item, segment)), None)
            return (None, found) if found is not None else None
    return None


def _is_element(node: Node, element: Element) -> bool:
    found: Node | None = node
    for name in element.field.split("."):
        found = found.get(name) if isinstance(found, Mapping) else None
    # The file may say `x` for `toolsets/x` in the body.
    return isinstance(found, Scalar) and f"/{element.value}".endswith(f"/{found.value}")
