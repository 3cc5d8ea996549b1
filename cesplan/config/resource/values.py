"""
Following directives inside values: `$file`, `$var`, `$ref`, and `${name}` in texts.

Each function takes a node and returns the value that it stands for, or None after reporting a problem.
"""

from collections.abc import Callable
from collections.abc import Mapping as MappingOf
from dataclasses import field
from typing import Any

from cesplan.config.files import BOM, Files, named_beside
from cesplan.config.manifest import IncludedFile, Spot
from cesplan.config.project.variables import MISSING, Variables
from cesplan.config.report import MOST_ALIKE, Report, SourceFile
from cesplan.config.resource.references import Dangling, Keys
from cesplan.config.suggestions import Guess, guess_key
from cesplan.config.yaml.nodes import At, Mapping, Node, Scalar, kind_of, node_of
from cesplan.domain.field_path import FieldPath, Segment
from cesplan.domain.frozen import dataclass
from cesplan.domain.value import Secret, folded
from cesplan.model.marks import Reference

FILE, EXPAND, VAR, REF = "$file", "$expand", "$var", "$ref"
VALUE_DIRECTIVES = (FILE, VAR, REF)
PROTECT = "$protect"
RESOURCE_DIRECTIVES = ("$id", PROTECT, "$ignore", "$ownership", "$extra", "$silence")
EXCLUDE = "$exclude"
_BEGINNING = At(0, 0)
SpotOf = Callable[[str], Spot]


MOST_TAKEN_IN = 8 * 1024 * 1024
"""The most characters that one resource can include from files and variables, counting repetitions."""


@dataclass(slots=True, kw_only=True)
class Context:
    """Everything that the values of one resource file can use, and the report for its findings."""

    file: SourceFile
    report: Report
    files: Files
    variables: Variables
    keys: Keys
    api_version: str
    environments: frozenset[str] = frozenset()
    address: str = ""
    included: dict[str, IncludedFile] = field(default_factory=dict)
    silenced: MappingOf[str, str] = field(default_factory=dict)
    left: int = MOST_TAKEN_IN
    references: list[tuple[Reference, str, bool, str]] = field(default_factory=list)
    """The resolved references: the mark, the text, whether it was a `$ref`, and the result."""

    def spend(self, size: int, at: Node) -> bool:
        """Whether this many more characters can be included. Reports when the limit is first exceeded."""
        if self.left >= 0 and self.left - size < 0:
            self.report_problem(
                "CES025",
                f"one resource includes more than {MOST_TAKEN_IN >> 20} MiB with `$file` and `$var`",
                at,
                detail="The service does not accept resources of this size.",
            )
        self.left -= size
        return self.left >= 0

    def resolve(self, reference: Reference, text: str, *, explicit: bool) -> str | Dangling:
        """The canonical form of a reference, or why it is dangling."""
        found = self.keys.resolve(reference, text, explicit=explicit)
        if not isinstance(found, Dangling):
            self.references.append((reference, text, explicit, found))
        return found

    def report_problem(
        self,
        code: str,
        summary: str,
        at: Node | Spot,
        *,
        detail: str = "",
        suggestion: str = "",
        correction: Guess | None = None,
    ) -> None:
        """Report a finding in this file, unless the file silences its code; as `Report.add` does."""
        if code in self.silenced:
            return
        spot = at if isinstance(at, Spot) else self.file.spot_of(at)
        self.report.add(
            code,
            summary,
            spot,
            detail=detail,
            suggestion=suggestion,
            address=self.address,
            correction=correction,
        )


def is_directive(key: str) -> bool:
    """Whether a key is a directive: `$x`, but not `$$x`, which stands for the key `$x`."""
    return key.startswith("$") and not key.startswith("$$")


def follow(node: Node, path: tuple[Segment, ...], context: Context) -> Node | None:
    """The value that a node stands for; None if it cannot be resolved."""
    match node:
        case Scalar(value=str(text)) if "${" in text and not node.verbatim:
            return _expanded(node, text, context)
        case Mapping() if node.has_directive:
            return _directive(node, path, context)
    return node


def check_directives(mapping: Mapping, known: tuple[str, ...], context: Context) -> None:
    """Report unknown and misplaced directives of a mapping."""
    for name, key, _ in mapping:
        if not is_directive(name) or name in known:
            continue
        if name in RESOURCE_DIRECTIVES:
            context.report_problem("CES023", f"`{name}` belongs at the top of a resource file", key)
        elif name == EXCLUDE:
            context.report_problem("CES023", "`$exclude` belongs alone in a file in environments/", key)
        elif name in (*VALUE_DIRECTIVES, EXPAND):
            context.report_problem("CES023", f"`{name}` replaces a value, not a whole resource", key)
        else:
            everything = (*known, *VALUE_DIRECTIVES)
            context.report_problem(
                "CES023",
                f"unknown directive `{name}`",
                key,
                detail=f"In a free-form value, write a key that begins with $ as `${name}`.",
                correction=guess_key(name, everything, mapping.entries),
            )


def _directive(node: Mapping, path: tuple[Segment, ...], context: Context) -> Node | None:
    name = next((item for item in VALUE_DIRECTIVES if item in node.entries), "")
    if not name:
        check_directives(node, (), context)
        return None
    beside = {FILE, EXPAND} if name == FILE else {name}
    for other, key, _ in node:
        if other not in beside:
            context.report_problem("CES024", f"`{other}` cannot be combined with `{name}`", key)
            return None
    value = node.entries[name][1]
    if not isinstance(value, Scalar) or not isinstance(value.value, str):
        context.report_problem("CES024", f"`{name}` must be a string, but this is {kind_of(value)}", value)
        return None
    match name:
        case "$file":
            return _file(node, value, path, context)
        case "$var":
            return _variable(value, context)
    return Scalar(value.start, value.end, value.value, value.text, verbatim=True, is_reference=True)


def _variable(node: Scalar, context: Context) -> Node | None:
    value = context.variables.get(node.value)
    if value is MISSING:
        context.variables.miss(node.value, context.file.spot_of(node))
        return None
    if context.left < 0 or not context.spend(_size(value), node):
        return None
    return node_of(value, node)


def _size(value: Any) -> int:
    """The approximate size of a value in characters. Recursive; the nesting of YAML is limited."""
    size: int = folded(
        value,
        lambda leaf: len(leaf) + 1 if isinstance(leaf, str) else 1,
        lambda members: 1 + sum(map(len, members)) + sum(members.values()),
        lambda items: 1 + sum(items),
    )
    return size


def _expanded(node: Scalar, text: str, context: Context) -> Node | None:
    value = expand(text, lambda word: context.file.spot_of_word(word, node), context)
    if value is None:
        return None
    return Scalar(node.start, node.end, value, node.text, quoted=True, verbatim=True)


def expand(text: str, spot_of: SpotOf, context: Context) -> str | Secret | None:
    """
    Expand the variables in a text; None if that fails.

    `spot_of` locates a word in its file, which takes longer the later the word is. So not all problems in a
    text full of mistakes are reported.
    """
    found = context.variables.expand(text)
    if found.too_long:
        context.report_problem("CES029", "the text is too long after its variables are expanded", spot_of("${"))
        return None
    for name in found.missing[:MOST_ALIKE]:
        context.variables.miss(name, spot_of(f"${{{name}}}"))
    for name in found.unfit[:MOST_ALIKE]:
        context.report_problem(
            "CES029",
            f"`{name}` cannot be used inside a text",
            spot_of(f"${{{name}}}"),
            detail=f"Its value is a list or mapping. To use it as the whole value, write `{{$var: {name}}}`.",
        )
    for word in found.malformed[:MOST_ALIKE]:
        context.report_problem(
            "CES029",
            f"`{word}` is not a valid variable reference",
            spot_of(word),
            detail="Write `${name}`, with letters, digits, and `_` in the name. Write a literal `${` as `$${`.",
        )
    return None if found.missing or found.unfit or found.malformed else found.value


def _file(node: Mapping, value: Scalar, path: tuple[Segment, ...], context: Context) -> Node | None:
    target, files = named_beside(context.file.home_of(value).path, value.value), context.files
    if target.startswith(("../", "/")) or target == ".." or not files.inside(target):
        context.report_problem(
            "CES025",
            f"`{value.value}` leads out of the tree",
            value,
            detail="The path is relative to the file that contains it and must stay inside the folder "
            "of cesplan.yaml.",
        )
        return None
    text = files.sound_text(target)
    if text is None:
        text = files.text(target, mentioned_at=context.file.spot_of(value), code="CES025")
    if text is None or not context.spend(len(text), value):
        return None
    if text.startswith(BOM):
        context.report_problem(
            "CES001", f"`{target}` begins with a byte order mark", value, detail="Save the file without it."
        )
    context.included[str(FieldPath(path))] = IncludedFile(path=target, text=text)
    content = _expand_file(node, without_last_break(text), target, context)
    if content is None:
        return None
    return Scalar(value.start, value.end, content, value.text, quoted=True, verbatim=True)


def without_last_break(text: str) -> str:
    """The value of an included text, which does not include one final line break."""
    return text.removesuffix("\r\n") if text.endswith("\r\n") else text.removesuffix("\n")


def _expand_file(node: Mapping, text: str, target: str, context: Context) -> str | Secret | None:
    switch = node.get(EXPAND)
    if switch is None:
        return text
    if not isinstance(switch, Scalar) or not isinstance(switch.value, bool):
        context.report_problem("CES024", "`$expand` must be true or false", switch)
        return None
    if not switch.value:
        return text
    source = SourceFile(target, text)
    whole = Scalar(_BEGINNING, At(len(source.lines), 0), text, text)
    return expand(text, lambda word: source.spot_of_word(word, whole), context)
