"""Reading one file of an export: JSON or YAML into a mapping that knows its places."""

from dataclasses import dataclass

from cesplan.config.report import Report, SourceFile, file_spot
from cesplan.config.yaml.composing import compose
from cesplan.config.yaml.nodes import At
from cesplan.config.yaml.nodes import Mapping as MappingNode
from cesplan.features.export_layout.json_nodes import compose_json
from cesplan.features.export_layout.sources import Source

_BOM = "\ufeff"


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A file that holds a resource, read: `folder` is the name of its folder, `comments` are its notes."""

    file: SourceFile
    root: MappingNode
    folder: str = ""
    comments: tuple[str, ...] = ()


def read(source: Source, path: str) -> Opened | None:
    """The mapping in a JSON or YAML file; what is wrong with it is reported, and then there is none."""
    files = source.files
    if not files.inside(path):
        files.report.add("CES001", f"`{path}` leads out of the export", file_spot(path))
        return None
    text = files.text(path)
    return composed(SourceFile(path, text.removeprefix(_BOM)), files.report) if text is not None else None


def composed(file: SourceFile, report: Report) -> Opened | None:
    """The mapping in the text of a file."""
    document = compose_json(file.text) if file.path.endswith(".json") else compose(file.text)
    for problem in document.problems:
        spot = file.spot(problem.start, problem.end)
        report.add(problem.code, problem.summary, spot, detail=problem.detail)
    if isinstance(document.root, MappingNode):
        return Opened(file=file, root=document.root)
    if not document.problems:
        report.add("CES004", f"`{file.path}` is not a mapping", file.spot(At(0, 0)))
    return None
