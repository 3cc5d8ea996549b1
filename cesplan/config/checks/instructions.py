"""CES087 to CES090: instructions and prompts that mention something that does not exist."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from cesplan.config.checks.facts import Fact
from cesplan.config.checks.known_names import Attached, KnownNames, attached_to, known_names
from cesplan.config.checks.mentions import Mention, Mentioned, mentions_in
from cesplan.config.checks.placing import line_in_words, place_at
from cesplan.config.checks.references import is_running, running_files
from cesplan.config.checks.walking import FileWalk, Visit
from cesplan.config.manifest import AppTree, Finding, ResourceFile
from cesplan.config.suggestions import Guess, guess

_TEXTS = FileWalk(lambda _, field: field.language == "markdown")
_OF_ONE_AGENT = "instruction"
_INSTRUCTIONS = frozenset({_OF_ONE_AGENT, "globalInstruction"})
"""The texts for which the product documentation defines mentions. In other prompts they are not certain."""


def _mentioned(file: ResourceFile) -> list[tuple[str, str, str]]:
    """The field, the sort, and the name of each mention in a file that takes part in conversations."""
    if not is_running(file):
        return []
    texts = [visit for visit in _TEXTS.over(file) if isinstance(visit.value, str) and "{" in visit.value]
    found = {
        (visit.field.name, item.what.value, item.name) for visit in texts for item in mentions_in(visit.value)
    }
    return sorted(found)


_MENTIONED = Fact("mentions", _mentioned)


class _Text(NamedTuple):
    """
    A text with mentions. `attached` is None if the text is for more than one agent.

    `mentioned` are all mentions in the instructions of the app.
    """

    visit: Visit
    text: str
    known: KnownNames
    attached: Attached | None
    mentioned: frozenset[str]

    @property
    def is_instruction(self) -> bool:
        return self.visit.field.name in _INSTRUCTIONS


def check_instructions(tree: AppTree) -> list[Finding]:
    """Check tools and agents by display name, and variables by the names that the app declares."""
    known = known_names(tree)
    files = running_files(tree)
    mentioned = frozenset(name for file in files for _, _, name in _MENTIONED.of(file))
    return [
        finding
        for file in files
        if not _is_sure(file, known)
        for visit in _TEXTS.over(file)
        for finding in _of_text(visit, known, mentioned)
    ]


def _is_sure(file: ResourceFile, known: KnownNames) -> bool:
    """Whether all that a file mentions is certainly there; most files need no closer look."""
    attached = attached_to(file) if _MENTIONED.of(file) else None
    for field, what, name in _MENTIONED.of(file):
        match Mentioned(what):
            case Mentioned.TOOL:
                is_attached = field != _OF_ONE_AGENT or attached is None or attached.has(name, known)
                sure = is_attached and known.has_tool(name)
            case Mentioned.AGENT:
                sure = name in known.agents
            case Mentioned.VARIABLE:
                sure = name in known.variables
        if not sure:
            return False
    return True


def _of_text(visit: Visit, known: KnownNames, mentioned: frozenset[str]) -> Iterator[Finding]:
    if not isinstance(visit.value, str):
        return
    attached = attached_to(visit.file) if visit.field.name == _OF_ONE_AGENT else None
    text = _Text(visit=visit, text=visit.value, known=known, attached=attached, mentioned=mentioned)
    for mention in mentions_in(visit.value):
        yield from _findings(text, mention)


def _findings(text: _Text, mention: Mention) -> Iterator[Finding]:
    match mention.what:
        case Mentioned.TOOL:
            yield from _tool(text, mention)
        case Mentioned.AGENT:
            yield from _agent(text, mention)
        case Mentioned.VARIABLE:
            yield from _variable(text, mention)


def _tool(text: _Text, mention: Mention) -> Iterator[Finding]:
    known = text.known
    if known.has_tool(mention.name):
        if text.attached and not text.attached.has(mention.name, known):
            what = f"the instruction mentions the tool `{mention.name}`, which this agent does not have"
            yield _finding(text, mention, "CES090", what, "Add it to the `tools` or `toolsets` of this agent.")
        return
    if text.attached and text.attached.has(mention.name, known):
        return  # a tool of the server, by its id
    correction = _guess_of(text, mention, known.tools_by_key, known.all_tools)
    if not correction.nearest and _may_be_elsewhere(text):
        return
    detail = "Mention a tool by the name that the model sees: the `name` of the tool type, or an operationId."
    yield _finding(text, mention, "CES087", f"there is no tool called `{mention.name}`", detail, correction)


def _may_be_elsewhere(text: _Text) -> bool:
    """True if toolsets or references lead to tools whose names only the server knows."""
    if text.attached is None:
        return bool(text.known.open_toolsets)
    by_id = any(tool.startswith("tools/@") for tool in text.attached.tools)
    return by_id or bool(text.known.open_toolsets & frozenset(text.attached.toolsets))


def _agent(text: _Text, mention: Mention) -> Iterator[Finding]:
    known = text.known
    if mention.name in known.agents:
        return
    correction = _guess_of(text, mention, known.agents_by_key, known.agents)
    detail = "Mention agents by their `displayName`."
    yield _finding(text, mention, "CES088", f"there is no agent called `{mention.name}`", detail, correction)


def _variable(text: _Text, mention: Mention) -> Iterator[Finding]:
    if mention.name in text.known.variables:
        return
    correction = guess(mention.name, text.known.variables).confirmed(text.mentioned)
    if not correction.nearest and not text.is_instruction:
        return
    detail = (
        "The service replaces it with the value of the variable. Declare the variable, unless it is predefined."
    )
    what = f"the app does not declare a variable `{mention.name}`"
    yield _finding(text, mention, "CES089", what, detail, correction)


def _guess_of(text: _Text, mention: Mention, by_key: Mapping[str, str], names: Iterable[str]) -> Guess:
    """The closest known name. The key of a file means the name of its resource."""
    name = by_key.get(mention.name)
    return (
        Guess(mention.name, name, sure=True) if name else guess(mention.name, names).confirmed(text.mentioned)
    )


def _finding(
    text: _Text, mention: Mention, code: str, summary: str, detail: str, correction: Guess | None = None
) -> Finding:
    visit = text.visit
    place = place_at(text.text, mention.offset, len(mention.name))
    where = line_in_words(visit.file, visit.path, text.text, place)
    return visit.finding(code, summary + where, detail, place, correction=correction)
