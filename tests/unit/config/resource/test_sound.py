"""Where the short way through a file succeeds, the walk over its nodes finds no fault and the same body."""

import copy
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from cesplan.config.files import Files
from cesplan.config.project.project import read_project
from cesplan.config.report import Report
from cesplan.config.resource import read as reading_module
from cesplan.config.resource.read import Read, Reading
from cesplan.config.resource.references import Keys
from cesplan.config.tree.load import load
from cesplan.config.yaml.composing import compose
from cesplan.config.yaml.nodes import plain
from cesplan.domain.address import Address, AppKey, Key, KindName
from cesplan.domain.field_path import FieldPath
from cesplan.model.kinds import KINDS
from tests.unit.config.cache.caches import same
from tests.unit.config.planting import plant

ROOT = Path(__file__).parents[4]
OURS = ("examples", "tests/scenarios")
ROOTS = sorted({path.parent for place in OURS for path in (ROOT / place).rglob("cesplan.yaml")})
ODD = [None, "", "x", "${v}", "$${v}", 0, 1.5, True, [], {}, [None], {"$file": "desk.md"}, {"$file": "../x"}]
ODD += [
    {"$ref": "tools/lookup"},
    {"$var": "v"},
    {"$file": "desk.md", "$expand": True},
    "lookup",
    "tools/lookup",
]
ODD += [
    "$context.variables.v",
    {"a": 1},
    {"$a": 1},
    {"$$a": 1},
    ["x"],
    [[]],
    float("nan"),
    "3.5s",
    "AAAA",
    -1,
    "7",
    "${many}",
    "${nothing}",
    "${token} x",
    {"$var": "many"},
    {"$var": "object"},
    {"$var": "nothing"},
    {"$var": "token"},
]
VARIABLES = (
    "variables: {v: word, many: [a, '${v}', {$file: x}], token: {secret: true},"
    " object: {type: mapping, default: {$file: x, $$a: '${v}'}}}\n"
)
NAMES = [
    "$id",
    "$protect",
    "name",
    "etag",
    "createTime",
    "displayName",
    "instruction",
    "unknown",
    "$$x",
    "labels",
]


class _Dumper(yaml.SafeDumper):
    """Long texts as people write them, and no aliases."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _represent(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Dumper.add_representer(str, _represent)


def test_every_tree_of_ours_reads_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Examples, scenarios and broken trees: with the short way, and without it."""
    short = [load(root, environ={}) for root in ROOTS]
    used: list[Read | None] = []
    sound = reading_module._read_sound
    monkeypatch.setattr(reading_module, "_read_sound", lambda *given: used.append(sound(*given)))
    for root, loaded in zip(ROOTS, short, strict=True):
        assert same(load(root, environ={}), loaded), root
    assert len([item for item in used if item is not None]) > 0.5 * len(used)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("version", ["v1beta", "v1"])
def test_any_change_of_a_file(tmp_path: Path, seed: int, version: str) -> None:
    """Values of real files with some of them replaced, left out, added, or moved elsewhere."""
    chance = random.Random(seed)
    root = plant(
        tmp_path,
        {"agents/desk.md": "Be ${kind}.\n", "tools/lookup.yaml": "displayName: x\n"},
        project=f"cesplan: 1\nproject: acme-dev\nlocation: us\napiVersion: {version}\n{VARIABLES}",
    )
    bodies = _bodies()
    came_short = 0
    for number in range(150):
        kind, body = chance.choice(bodies)
        body = copy.deepcopy(body)
        for _ in range(chance.randrange(3)):
            _change(chance, body, bodies)
        path = f"apps/store/{kind}/file-{number}.yaml"
        (root / path).parent.mkdir(exist_ok=True)
        text = yaml.dump(body, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=1 << 20)
        (root / path).write_text(text)
        address = Address(app=AppKey("store"), kind=kind, key=Key(f"file-{number}"))
        short, other = _reading(root), _reading(root)
        found = reading_module._read_sound(address, path, short)
        assert short.report.entries == 0
        if found is not None:
            came_short += 1
            walked = reading_module._read_any(address, path, other)
            assert walked is not None
            assert other.report.diagnostics == (), text
            assert _said(found) == _said(walked), text
            assert found.resource.body == walked.resource.body
    assert came_short > 10


_DIRECTIVES: dict[str, list[Any]] = {
    "$id": ["11111-abc", "no", 12345, "", None, {"prod": "22222-abc"}, {"dev": "x1234"}, ["11111"], "${v}"],
    "$protect": [True, False, "true", None, 1],
    "$ownership": ["full", "declared", "mine", None, {"$var": "v"}],
    "$ignore": [
        ["displayName"],
        ["modelSettings.temperature", "labels[a.b]"],
        ["nope"],
        "displayName",
        [1],
        [],
    ],
    "$extra": [
        {"newField": 1.50},
        {"newField": {"$$a": [None, "${v}"]}},
        {"displayName": "x"},
        [],
        {"a": "$x"},
    ],
    "$silence": [{"CES041": "why"}, {"CES041": ""}, {"CES041": None}, {"NO": "why"}, "CES041", {}],
    "$other": ["x"],
}


@pytest.mark.parametrize("name", _DIRECTIVES)
def test_directives(tmp_path: Path, name: str) -> None:
    """Valid ones are read without places; for any other, the file is read again, and it is reported once."""
    project = "cesplan: 1\nproject: acme-dev\nlocation: us\nvariables: {v: word}\nenvironments: {prod: {}}\n"
    root = plant(tmp_path, {"agents/desk.md": "Be kind.\n"}, project=project)
    short_ways = 0
    for number, value in enumerate(_DIRECTIVES[name]):
        for kind, key in (
            ("agents", f"file-{number}"),
            ("agents", f"f{number}"),
            ("deployments", f"web-{number}"),
        ):
            body = {"displayName": "Desk", name: value, "labels" if number % 2 else "description": None}
            path = f"apps/store/{kind}/{key}.yaml"
            (root / path).parent.mkdir(exist_ok=True)
            (root / path).write_text(yaml.dump(body, Dumper=_Dumper, sort_keys=False))
            address = Address(app=AppKey("store"), kind=KindName(kind), key=Key(key))
            short, other = _reading(root), _reading(root)
            found, walked = (
                reading_module._read_sound(address, path, short),
                reading_module._read_any(address, path, other),
            )
            assert short.report.entries == 0
            assert walked is not None
            assert reading_module.peek_id(path, short) in (walked.given_id, None)
            if found is not None:
                short_ways += 1
                assert other.report.diagnostics == (), body
                assert _said(found) == _said(walked), body
                assert found.took.silenced == walked.took.silenced
    assert bool(short_ways) == (name != "$other")


def _said(read: Read) -> list[Any]:
    resource = read.resource
    bare = replace(resource, spot=None, key_spot=None)  # type: ignore[arg-type]
    spots = [resource.spot(FieldPath()), resource.key_spot(FieldPath())]
    spots += [resource.spot(FieldPath((name,))) for name in resource.body]
    inputs = (read.took.references, read.took.left, read.given_id, [*read.took.included])
    return [repr(bare), spots, inputs, [*resource.body]]


def _reading(root: Path) -> Reading:
    report = Report()
    files = Files(root, report)
    project = read_project(files, "", {}, {"CESPLAN_SECRET_token": "s3cret"}, lambda *given: ())
    assert project is not None
    keys = Keys({"tools": {"lookup": "lookup.yaml"}, "agents": {}})
    return Reading(files=files, report=report, project=project, keys=keys)


def _bodies() -> list[tuple[KindName, dict[str, Any]]]:
    """The values of the resource files of the examples, without references to what is not in the tree."""
    paths = [path for path in (ROOT / "examples").rglob("apps/*/*/*.yaml") if path.parent.name in KINDS]
    texts = {path: compose(path.read_text()).root for path in sorted(paths) if path.name.count(".") == 1}
    found = [(KindName(path.parent.name), _known(plain(root))) for path, root in texts.items() if root]
    assert len(found) > 30
    return found


def _known(value: Any) -> Any:
    match value:
        case {"$file": _}:
            return {"$file": "desk.md"}
        case dict():
            kept = {
                key: _known(item) for key, item in value.items() if key not in ("$id", "$silence", "$ignore")
            }
            references = ("tools", "toolsets", "guardrails", "childAgents", "transferRules")
            return {key: item for key, item in kept.items() if key not in references} | (
                {"tools": ["lookup"]} if "tools" in kept else {}
            )
        case list():
            return [_known(item) for item in value]
    return value


def _change(chance: random.Random, body: Any, bodies: list[tuple[KindName, dict[str, Any]]]) -> None:
    """Do something to one value inside."""
    holders = [*_holders(body)]
    holder = chance.choice(holders)
    value = (
        chance.choice(ODD) if chance.random() < 0.7 else chance.choice([*_holders(chance.choice(bodies)[1])])
    )
    value = copy.deepcopy(value)
    match holder:
        case dict():
            key = chance.choice([*holder, chance.choice(NAMES)])
            if chance.random() < 0.2:
                holder.pop(key, None)
            else:
                holder[key] = value
        case list():
            holder.append(value)


def _holders(value: Any) -> Any:
    if isinstance(value, dict | list):
        yield value
        for item in value.values() if isinstance(value, dict) else value:
            yield from _holders(item)
