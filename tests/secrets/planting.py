"""
Trees with a secret wherever one can be: whole values, parts of texts, texts in files, free-form values.

Every secret has a core of random letters that is nowhere else, so where the core shows, the secret leaked.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cesplan.domain.address import APPS
from cesplan.domain.desired import Desired, DesiredResource
from cesplan.domain.value import Secret
from cesplan.model.kinds import kind_of
from cesplan.model.marks import Choices, Form, OwnName, Secrecy, Sensitive
from cesplan.model.scalars import Scalar
from cesplan.model.spec import Cardinality, FieldSpec, MessageSpec
from tests.properties.census import resources
from tests.properties.dice import Dice

LETTERS = "bcdfghjkmnpqrstvwxz"
_CORE = 14
_WRAPS: tuple[Callable[[str], str], ...] = (
    lambda core: core,
    lambda core: f'"{core}" said',
    lambda core: f"first line\n{core}\nlast line",
    lambda core: f"Zürich\\{core}'",
)
"""Secrets that a quoting service, JSON and YAML spell in different ways."""


@dataclass(slots=True)
class Garden:
    """
    Plants secrets into one tree and remembers them.

    `rough` plants also where the service will refuse them. `values` are the variables, `cores` what must not
    show.
    """

    dice: Dice
    rough: bool = False
    percent: int = 60
    values: dict[str, str] = field(default_factory=dict)
    cores: dict[str, str] = field(default_factory=dict)
    places: set[str] = field(default_factory=set)
    texts: dict[str, str] = field(default_factory=dict)

    def files(self, desired: Desired) -> dict[str, str]:
        """The files of a tree, by path relative to its root; secrets are in them by their names."""
        found: dict[str, str] = {}
        for item in resources(desired):
            path = _path(item)
            body = self._message(kind_of(item.address.kind).spec, item.body, path)
            if item.resource_id:
                body["$id"] = item.resource_id
            found[path] = json.dumps(body, ensure_ascii=False, indent=1)
        return {**found, **self.texts}

    def secret(self, *, bare: bool = False) -> str:
        """A new secret variable; a `bare` one is one word."""
        name = f"secret{len(self.values)}"
        self.cores[name] = "".join(self.dice.pick(LETTERS) for _ in range(_CORE))
        self.values[name] = self.cores[name] if bare else self.dice.pick(_WRAPS)(self.cores[name])
        return name

    def rotate(self) -> None:
        """New values for all secrets."""
        for name, old in list(self.cores.items()):
            self.cores[name] = "".join(self.dice.pick(LETTERS) for _ in range(_CORE))
            self.values[name] = self.values[name].replace(old, self.cores[name])

    def _message(self, spec: MessageSpec, body: dict[str, Any], path: str) -> dict[str, Any]:
        return {name: self._field(spec, spec.fields[name], value, path) for name, value in body.items()}

    def _field(self, spec: MessageSpec, known: FieldSpec, value: Any, path: str) -> Any:
        match value:
            case list() if known.cardinality is Cardinality.LIST:
                return [self._one(spec, known, item, path) for item in value]
            case dict() if known.cardinality is Cardinality.MAP:
                return {_key(name): self._one(spec, known, item, path) for name, item in value.items()}
        return self._one(spec, known, value, path)

    def _one(self, spec: MessageSpec, known: FieldSpec, value: Any, path: str) -> Any:
        if known.scalar is Scalar.MESSAGE and isinstance(value, dict):
            return self._message(known.message, value, path)
        if known.scalar in (Scalar.STRUCT, Scalar.VALUE):
            return self._free(value, f"{spec.name}.{known.name}")
        if isinstance(value, Secret):
            return self._planted(spec, known, value.text, path)
        if not isinstance(value, str):
            return value
        if known.scalar is Scalar.STRING and self._may_hold(spec, known) and self.dice.chance(self.percent):
            return self._planted(spec, known, value, path)
        return value.replace("${", "$${")

    def _free(self, value: Any, place: str) -> Any:
        match value:
            case dict():
                return {_key(name): self._free(item, place) for name, item in value.items()}
            case list():
                return [self._free(item, place) for item in value]
            case str() if self.dice.chance(self.percent):
                self.places.add(place)
                name = self.secret()
                return {"$var": name} if self.dice.chance(50) else f"see ${{{name}}}"
            case str():
                return value.replace("${", "$${")
        return value

    def _may_hold(self, spec: MessageSpec, known: FieldSpec) -> bool:
        if known.is_resource_name or known.mark(OwnName) is not None:
            return False
        if self.rough:
            return True
        if spec.name == "AppVersion":
            return False  # a version cannot be changed, and its secrets will be
        special = known.mark(Choices) or known.mark(Form) or known.mark(Sensitive)
        return not special and (spec.name, known.name) not in _LOOKED_INTO

    def _planted(self, spec: MessageSpec, known: FieldSpec, value: str, path: str) -> Any:
        self.places.add(f"{spec.name}.{known.name}")
        is_code = known.language in ("python", "yaml")
        name, plain = self.secret(bare=is_code), value.replace("${", "$${")
        sensitive = known.mark(Sensitive)
        if is_code:
            # Within a comment, so that the text still is what it should be.
            return f"{plain.rstrip()}\n# ${{{name}}}\n"
        if sensitive and sensitive.secrecy is Secrecy.SECRET:
            return {"$var": name}
        match self.dice.below(3):
            case 0:
                return {"$var": name}
            case 1:
                return f"{plain} ${{{name}}}"
        text = f"{path}.{name}.md"
        self.texts[text] = f"{plain}\n${{{name}}}\n"
        return {"$file": text.rpartition("/")[2], "$expand": True}


_LOOKED_INTO = {
    ("PythonFunction", "name"),
    ("ClientFunction", "name"),
    ("OpenApiTool", "openApiSchema"),
    ("OpenApiToolset", "openApiSchema"),
    ("Tool", "name"),
}
"""Fields that the service takes apart, or that names are derived from."""


def _key(name: str) -> str:
    return f"${name}" if name.startswith("$") else name


def _path(item: DesiredResource) -> str:
    address = item.address
    if address.app.startswith("@"):
        return f"{address.kind}.yaml"
    folder = f"apps/{address.app}"
    return f"{folder}/app.yaml" if address.kind == APPS else f"{folder}/{address.kind}/{address.key}.yaml"


def write(root: Path, files: dict[str, str]) -> None:
    """Put files into a folder."""
    for path, text in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
