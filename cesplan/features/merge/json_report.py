"""What a merge did, or would do, as a JSON document."""

from collections.abc import Mapping, Sequence
from typing import Any

from cesplan.domain.address import Address
from cesplan.domain.features.merge import AppMerge, FieldMerge, MergedResource
from cesplan.domain.value import mask_secrets
from cesplan.model.kinds import kind_of
from cesplan.render.documents import opening, text_of
from cesplan.render.field_redactor import FieldRedactor


def merge_json(
    apps: Sequence[AppMerge],
    *,
    written: Sequence[str],
    removed: Sequence[str],
    touched: Mapping[str, Sequence[Address]],
    is_check: bool,
    service: str = "",
) -> str:
    """The document, ended by a line feed; `service` is empty for the default one."""
    return text_of(
        {
            **opening(),
            "check": is_check,
            "service": service,
            "apps": [_app(item) for item in apps],
            "written": list(written),
            "removed": list(removed),
            "also_changes": {name: [*map(str, found)] for name, found in sorted(touched.items())},
        }
    )


def _app(app: AppMerge) -> dict[str, Any]:
    return {
        "app": app.key,
        "base": app.base,
        "weaker_because": app.weaker,
        "fields": [field for item in app.resources for field in _fields(item, app)],
        "resources": [
            {
                "address": str(item.address),
                "fate": item.fate,
                "won": item.won,
                "open": item.is_open,
                **({"referrers": [*item.referrers]} if item.referrers else {}),
            }
            for item in app.fates
        ],
        "by_hand": [
            {"address": address, "path": path, "why": why}
            for (address, path), why in sorted(app.refused.items())
        ],
        "ids": [str(address) for address in app.ids],
        "re_created": [
            {"address": str(item.address), "old": item.old, "new": item.new} for item in app.re_created
        ],
        "notices": list(app.notices),
    }


def _fields(item: MergedResource, app: AppMerge) -> list[dict[str, Any]]:
    author = app.authors.get(item.address)
    redactor = FieldRedactor(kind_of(item.address.kind).spec, frozenset())
    return [
        {
            "address": str(item.address),
            "path": str(found.path),
            "verdict": found.result,
            "won": found.won,
            "base": mask_secrets(redactor.value(found.path, found.base)),
            "tree": mask_secrets(redactor.value(found.path, found.tree)),
            "live": mask_secrets(redactor.value(found.path, found.live)),
            **({"why": found.why} if found.why else {}),
            **({"file": found.file} if found.file else {}),
            **_texts(found, redactor),
            **({"author": author.name, "changed_at": author.time} if author and found.is_open else {}),
        }
        for found in item.fields
    ]


def _texts(found: FieldMerge, redactor: FieldRedactor) -> dict[str, Any]:
    """A text that edits of both sides were put into, and where they collide; nothing of what is sensitive."""
    if not isinstance(redactor.value(found.path, found.tree), str):
        return {}
    merged = {} if found.merged is None else {"merged": found.merged}
    collisions = [
        {"line": item.line, "lines": item.lines, "base": item.base, "tree": item.ours, "live": item.theirs}
        for item in found.collisions
    ]
    return {**merged, **({"collisions": collisions} if collisions else {})}
