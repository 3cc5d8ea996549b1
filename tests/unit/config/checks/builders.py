"""Small apps for checks: bodies as they are after loading, without files."""

from dataclasses import dataclass
from typing import Any

from cesplan.config.manifest import AppTree, Check, Finding, IncludedFile, ResourceFile, Spot
from cesplan.domain.address import Address, AppKey, Key, KindName
from cesplan.domain.diagnostic import SourcePlace
from cesplan.domain.field_path import FieldPath, Index
from cesplan.domain.settings import Ownership

SHOP = AppKey("shop")


@dataclass(frozen=True)
class Included:
    """A text of a body that came from a file."""

    text: str


def app(
    body: dict[str, Any] | None = None,
    *,
    ownership: Ownership = Ownership.FULL,
    ignore: tuple[FieldPath, ...] = (),
    **kinds: dict[str, dict[str, Any]],
) -> AppTree:
    """An app called shop: its body, and bodies by kind and key."""
    resources = [
        resource(kind, key, content) for kind, bodies in kinds.items() for key, content in bodies.items()
    ]
    return AppTree(
        key=SHOP,
        app=resource("apps", SHOP, body or {}, ownership=ownership, ignore=ignore),
        location="us",
        resources=tuple(sorted(resources, key=lambda item: item.address)),
        folders=frozenset(map(KindName, kinds)),
    )


def resource(
    kind: str,
    key: str,
    body: dict[str, Any],
    *,
    ownership: Ownership = Ownership.FULL,
    ignore: tuple[FieldPath, ...] = (),
) -> ResourceFile:
    """One resource file, as loading gives it."""
    path = f"apps/shop/{kind}/{key}.yaml"
    included: dict[str, IncludedFile] = {}
    return ResourceFile(
        address=Address(app=SHOP, kind=KindName(kind), key=Key(key)),
        path=path,
        body=_taken_in(body, FieldPath(), included),
        spot=lambda _: Spot(place=SourcePlace(file=path)),
        key_spot=lambda _: Spot(place=SourcePlace(file=path)),
        ownership=ownership,
        ignore=ignore,
        included=included,
    )


def found(check: Check, tree: AppTree) -> list[str]:
    """What a check found: code, resource, path, and where inside an included text; then the summary."""
    return [_line(finding) for finding in check(tree)]


def suggestions(check: Check, tree: AppTree) -> list[str]:
    """The "did you mean" of each finding."""
    return [
        finding.suggestion or (finding.correction.nearest if finding.correction else "")
        for finding in check(tree)
    ]


def _line(finding: Finding) -> str:
    place = ""
    if finding.place and str(finding.path) in finding.file.included:
        place = "@{}:{}+{}".format(*finding.place)
    where = f"{finding.file.address.within_app} {finding.path}{place}".rstrip()
    return f"{finding.code} {where}: {finding.summary}"


def _taken_in(value: Any, path: FieldPath, included: dict[str, IncludedFile]) -> Any:
    match value:
        case Included():
            included[str(path)] = IncludedFile(path="text", text=value.text)
            return value.text
        case dict():
            return {key: _taken_in(item, path / key, included) for key, item in value.items()}
        case list():
            return [_taken_in(item, path / Index(at), included) for at, item in enumerate(value)]
    return value
