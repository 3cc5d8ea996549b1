"""
The law of three-way merging: no leaf that only one side changed is lost, and the rest are conflicts.

Random edits of a tree and of what is live are merged and applied; a plain model of a page, which shares nothing
with the code, says what must be live then, and which fields are conflicts. Texts are edited by line.
"""

import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from cesplan.workflow.merging import merge
from tests.pull.conftest import APP, Project
from tests.seeds import seeds

GONE: Any = None
"""What a side does not have."""

Lines = tuple[str, ...]
"""A text, in the model alone."""

Tools = frozenset[str]
"""A list without an order, in the model alone."""

State = dict[str, dict[str, Any]]
"""Resources by `<kind>/<id>`, the app by an empty text: fields by their names."""

LINES = 24
VARIABLES = ("tier", "city", "street", "zip")
SYSTEM_TOOLS = ("end_session", "customize_response", "transfer_to_agent")


def base_state() -> State:
    return {
        "": {
            "displayName": "Help Desk",
            "variableDeclarations": {name: {"description": f"the {name}"} for name in VARIABLES[:3]},
            "modelSettings": {"temperature": 0.5, "model": "gemini-2.5-flash"},
        },
        "agents/front-desk": {
            "displayName": "Front Desk",
            "description": "Greets.",
            "instruction": tuple(f"line {number}" for number in range(LINES)),
            "tools": frozenset(SYSTEM_TOOLS[:2]),
            "transferRules": [{"when": f"x{number}"} for number in range(3)],
        },
        "guardrails/first": {"displayName": "First", "enabled": True, "description": "one"},
        "guardrails/second": {"displayName": "Second", "enabled": True, "description": "two"},
        "guardrails/third": {"displayName": "Third", "enabled": True, "description": "three"},
    }


# random edits


@dataclass
class Editor:
    """Edits of one side. `who` is in every value, so that no two sides write the same by chance."""

    dice: random.Random
    who: str

    def edit(self, state: State) -> State:
        made = {at: dict(body) for at, body in state.items()}
        for _ in range(self.dice.randrange(1, 9)):
            self._one(made)
        return made

    def _one(self, state: State) -> None:
        app, agent = state[""], state["agents/front-desk"]
        match self.dice.randrange(9):
            case 0:
                agent["description"] = self.dice.choice([f"by {self.who}", "the same on both sides"])
            case 1:
                app["modelSettings"] = {
                    **app["modelSettings"],
                    "temperature": self.dice.choice([0.1, 0.7, 0.9]),
                }
            case 2:
                app["modelSettings"] = {**app["modelSettings"], "model": f"{self.who}-model"}
            case 3:
                agent["tools"] = frozenset(self.dice.sample(SYSTEM_TOOLS, self.dice.randrange(1, 4)))
            case 4:
                self._variable(app)
            case 5 | 6:
                agent["instruction"] = self._text(agent["instruction"])
            case 7:
                rules = [dict(item) for item in agent["transferRules"]]
                self.dice.choice(rules)["when"] = f"{self.who}{self.dice.randrange(100)}"
                agent["transferRules"] = rules
            case 8:
                self._guardrail(state)

    def _variable(self, app: dict[str, Any]) -> None:
        declared = dict(app["variableDeclarations"])
        name = self.dice.choice(VARIABLES)
        if name in declared and self.dice.random() < 0.4:
            del declared[name]
        else:
            declared[name] = {"description": f"{name} by {self.who}"}
        app["variableDeclarations"] = declared

    def _guardrail(self, state: State) -> None:
        at = f"guardrails/{self.dice.choice(['first', 'second', 'third', f'new-{self.who}'])}"
        if at not in state:
            name = at.partition("/")[2]
            state[at] = {"displayName": name.title(), "enabled": True, "description": "new"}
        elif self.dice.random() < 0.4:
            del state[at]
        else:
            state[at] = {**state[at], "description": f"by {self.who}"}

    def _text(self, lines: Lines) -> Lines:
        """
        One line changed, taken out, or put in; the lines of the base stay known by their numbers.

        Each side takes out lines of its own, for lines that both take out are not conflict as such.
        """
        made = list(lines)
        place = self.dice.choice([place for place, line in enumerate(made) if not line.startswith("new ")])
        match self.dice.randrange(3):
            case 0:
                made[place] = f"{self.who} {made[place].split()[-1]}"
            case 1:
                made.insert(place, f"new {self.who} {self.dice.randrange(1000)}")
            case 2:
                old = f"line {self.dice.randrange(0, LINES, 4) + (0 if self.who == 'tree' else 2)}"
                made = [line for line in made if line != old]
        return tuple(made)


# the model


class Model:
    """Merges three states leaf by leaf. `conflicts` are the places that both sides changed differently."""

    def __init__(self) -> None:
        self.conflicts: set[str] = set()

    def merged(self, base: State, tree: State, live: State) -> State:
        result = {}
        for at in sorted({*base, *tree, *live}):
            value = self.value(base.get(at, GONE), tree.get(at, GONE), live.get(at, GONE), at)
            if value is not GONE:
                result[at] = value
        return result

    def value(self, base: Any, tree: Any, live: Any, at: str) -> Any:
        if tree == live or base == live:
            return tree
        if base == tree:
            return live
        if base is GONE and isinstance(tree, dict) and isinstance(live, dict):
            base = {}
        match base, tree, live:
            case dict(), dict(), dict():
                keys = sorted({*base, *tree, *live})
                made = {
                    key: self.value(base.get(key), tree.get(key), live.get(key), f"{at} {key}") for key in keys
                }
                return {key: value for key, value in made.items() if value is not GONE}
            case frozenset(), frozenset(), frozenset():
                return (tree | (live - base)) - (base - live)
            case tuple(), tuple(), tuple():
                return self.text(base, tree, live, at)
            case list(), list(), list() if len(base) == len(tree) == len(live):
                items = zip(base, tree, live, strict=True)
                return [self.value(*item, f"{at} {place}") for place, item in enumerate(items)]
        self.conflicts.add(at)
        return tree

    def text(self, base: Lines, tree: Lines, live: Lines, at: str) -> Lines:
        """By line: what one side did to it or above it, unless the other touched that or its neighbor."""
        mine, their = edits(base, tree), edits(base, live)
        if any(touch(one, other) for one in mine for other in their):
            self.conflicts.add(at)
            return tree
        both = {**mine, **their}
        result: list[str] = []
        for number in range(len(base) + 1):
            result += both.get((number, number), ())
            if number < len(base):
                result += both.get((number, number + 1), (base[number],))
        return tuple(result)


def edits(base: Lines, side: Lines) -> dict[tuple[int, int], Lines]:
    """
    What was put in before a line of the base, and what a line became: by the range of the base.

    A line that is not a line of the base belongs to the one it was made of, by the number it ends with.
    """
    found: dict[tuple[int, int], Lines] = {}
    at = 0
    for line in side:
        number = -1 if line.startswith("new ") else int(line.split()[-1])
        if number < 0:
            found[at, at] = (*found.get((at, at), ()), line)
            continue
        found |= {(gone, gone + 1): () for gone in range(at, number)}
        if line != base[number]:
            found[number, number + 1] = (line,)
        at = number + 1
    return found | {(gone, gone + 1): () for gone in range(at, len(base))}


def touch(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] <= other[1] and other[0] <= one[1]


# states into files, and into the service


def body_of(at: str, fields: Mapping[str, Any], reference: Any) -> dict[str, Any]:
    """A body of the API; `reference` says how a resource is named."""
    made = dict(fields)
    if "instruction" in made:
        made["instruction"] = "\n".join(made["instruction"])
        made["tools"] = [reference(f"tools/{name}") for name in sorted(made["tools"])]
        made["transferRules"] = [
            {
                "childAgent": reference("agents/front-desk"),
                "direction": "PARENT_TO_CHILD",
                "deterministicTransfer": {"expressionCondition": {"expression": item["when"]}},
            }
            for item in made["transferRules"]
        ]
    if "variableDeclarations" in made:
        made["variableDeclarations"] = [
            {"name": name, **item, "schema": {"type": "STRING"}}
            for name, item in made["variableDeclarations"].items()
        ]
    if at.startswith("guardrails/"):
        made["contentFilter"] = {
            "matchType": "SIMPLE_STRING_MATCH",
            "bannedContents": [made.pop("displayName")],
        }
        made["displayName"] = fields["displayName"]
    return made


def files_of(state: State) -> Iterator[tuple[str, str]]:
    """The tree, in JSON, which is YAML; the instruction in a file of its own."""
    yield "cesplan.yaml", "cesplan: 1\nproject: acme-dev\nlocation: us\n"
    for at, fields in state.items():
        body = body_of(at, fields, lambda text: text.partition("/")[2])
        path = f"apps/help-desk/{at or 'app'}"
        if "instruction" in body:
            yield f"{path}.md", f"{body['instruction']}\n"
            body["instruction"] = {"$file": "front-desk.md"}
        yield f"{path}.yaml", "".join(f"{key}: {json.dumps(value)}\n" for key, value in body.items())


def write_tree(project: Project, before: State, after: State) -> None:
    for path, _ in set(files_of(before)) - set(files_of(after)):
        (project.root / path).unlink()
    project.write(dict(files_of(after)))


def edit_live(project: Project, before: State, after: State) -> None:
    def named(text: str) -> str:
        return f"{APP}/{text}"

    for at in sorted({*before, *after}):
        old = body_of(at, before[at], named) if at in before else None
        new = body_of(at, after[at], named) if at in after else None
        if new is None:
            project.delete(at)
        elif old is None:
            project.create(at, new)
        elif changed := [key for key in new if new[key] != old[key]]:
            project.edit(at, ",".join(changed), {key: new[key] for key in changed})


def read_live(project: Project, at: str) -> dict[str, Any]:
    """One live resource in the terms of the model."""
    body = project.read(at)
    known = {key: body[key] for key in ("displayName", "description", "enabled") if key in body}
    if at == "":
        declared = body.get("variableDeclarations", [])
        known["variableDeclarations"] = {
            item["name"]: {"description": item["description"]} for item in declared
        }
        known["modelSettings"] = body["modelSettings"]
    if at == "agents/front-desk":
        known["instruction"] = tuple(body["instruction"].split("\n"))
        known["tools"] = frozenset(name.rpartition("/")[2] for name in body.get("tools", []))
        known["transferRules"] = [
            {"when": item["deterministicTransfer"]["expressionCondition"]["expression"]}
            for item in body["transferRules"]
        ]
    return known


# the law


@pytest.mark.parametrize("seed", seeds(8, range(24)))
def test_a_merge_and_an_apply_lose_no_edit_of_one_side(seed: int, project: Project) -> None:
    dice = random.Random(seed)
    base = base_state()
    tree, live = Editor(dice, "tree").edit(base), Editor(dice, "live").edit(base)
    write_tree(project, {}, base)
    project.commit()
    project.apply()
    write_tree(project, base, tree)
    edit_live(project, base, live)
    model = Model()
    expected = model.merged(base, tree, live)

    found = merge(project.root, connection=project.connection)

    assert conflicts_of(found.apps[0]) == {place(text) for text in model.conflicts}
    assert found.apps[0].refused == {}
    project.apply()
    assert {at: read_live(project, at) for at in expected} == expected
    assert {f"guardrails/{name}" for name in guardrails(project)} == {
        at for at in expected if at.startswith("g")
    }
    assert merge(project.root, connection=project.connection).is_empty


def place(text: str) -> str:
    """A place of the model as the report of a merge has it."""
    at, *names = text.split(" ")
    match names:
        case ["variableDeclarations", name, *rest]:
            return f"{at} variableDeclarations[name={name}]{''.join(f'.{item}' for item in rest)}"
        case ["transferRules", number, _]:
            return f"{at} transferRules[{number}].deterministicTransfer.expressionCondition.expression"
        case []:
            return at
    return f"{at} {'.'.join(names)}"


def conflicts_of(app: Any) -> set[str]:
    def short(address: Any) -> str:
        return "" if str(address) == "help-desk" else str(address.within_app)

    fields = {
        f"{short(item.address)} {field.path}"
        for item in app.resources
        for field in item.fields
        if field.is_open
    }
    return fields | {short(item.address) for item in app.fates if item.is_open}


def guardrails(project: Project) -> set[str]:
    rows = project.emulator.store.children(APP, "guardrails")
    return {row.name.rpartition("/")[2] for row in rows}
