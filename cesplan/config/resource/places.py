"""
Places: the place of a field path in a resource file.

Most files have no findings, and nodes take ten times the memory of the text, so they are dropped after a file
is read. If a place is requested, the text is composed again.
"""

from functools import lru_cache

from cesplan.config.manifest import Spot
from cesplan.config.report import SourceFile
from cesplan.config.yaml.composing import compose
from cesplan.config.yaml.nodes import Mapping, Mark, Node, Scalar, Sequence
from cesplan.domain.field_path import Element, Entry, FieldPath, Index, Segment
from cesplan.domain.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """
    Locates values of one resource. For a path without a value it returns the nearest value around it.

    `root` is None if the nodes can be composed again from the text; the nodes of a resource with layers are
    kept. `start` and `end` are the marks of the root, because findings about a resource as a whole are the most
    common.
    """

    file: SourceFile
    start: Mark
    end: Mark
    root: Mapping | None = None

    @classmethod
    def of(cls, file: SourceFile, root: Mapping, *, keeps: bool) -> "Places":
        """The places of a resource. `keeps` its nodes if the text of the file alone does not produce them."""
        return cls(file=file, start=root.start, end=root.end, root=root if keeps else None)

    def spot(self, path: FieldPath) -> Spot:
        """The place of a value."""
        if self.root is None and not path.segments:
            return self.file.spot(self.start, self.end)
        return self.file.spot_of(self._find(path)[1])

    def key_spot(self, path: FieldPath) -> Spot:
        """The place of a value's key, or of the value if it has no key, as in lists."""
        key, value = self._find(path)
        return self.file.spot_of(key or value)

    def _find(self, path: FieldPath) -> tuple[Scalar | None, Node]:
        key: Scalar | None = None
        node = self.root or _composed(self.file.text)
        if node is None:
            raise ValueError(f"{self.file.path} holds nothing")
        for segment in path.segments:
            found = _step(node, segment)
            if found is None:
                break
            key, node = found
        return key, node


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
