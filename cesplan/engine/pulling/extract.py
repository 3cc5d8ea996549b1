"""
Extracting: converts a live app to the form of files, so that a plan of the result is empty.

Output-only fields, defaults, and values that the service is known to set are removed. Values that a file cannot
express (an unknown enum value, a secret in plain text) are left out and ignored. Unknown fields that a mask can
name become `$extra`. The notices list everything that is lost.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from cesplan.domain.address import Address, AppKey, KindName, app_address
from cesplan.domain.app_metadata.names import PREFIX
from cesplan.domain.desired import DesiredApp, DesiredResource
from cesplan.domain.field_path import FieldPath
from cesplan.domain.frozen import dataclass
from cesplan.domain.live import LiveApp, LiveResource
from cesplan.domain.naming import Naming
from cesplan.domain.settings import Ownership
from cesplan.domain.value import ABSENT, Body
from cesplan.engine.comparing.bodies import take
from cesplan.engine.comparing.copies import address_of
from cesplan.engine.comparing.normalize import Normalized, normalize, references
from cesplan.engine.comparing.value_redactor import NOTHING_SECRET, ValueRedactor
from cesplan.engine.pulling.keys import everything
from cesplan.engine.pulling.writable import cut_out, misfits
from cesplan.model.kinds import Kind, kind_of
from cesplan.model.marks import OwnedByKey
from cesplan.model.spec import Cardinality, FieldSpec, MessageSpec
from cesplan.model.walk import Rewriting, Trail


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractedApp:
    """An app in the form of a tree. `notices` list what it cannot express."""

    app: DesiredApp
    notices: tuple[str, ...] = ()


def extractable(live: LiveApp, place_naming: Naming) -> tuple[LiveResource, ...]:
    """The resources that get files: not those that the service creates, and not versions without references."""
    named = _named_by_others(live, place_naming)
    return tuple(
        item
        for item in everything(live)
        if not kind_of(item.kind).is_made_by_service(item.body)
        and (not kind_of(item.kind).is_snapshot or (item.kind, item.id) in named)
    )


def extract(
    key: AppKey,
    app: LiveResource,
    resources: Iterable[LiveResource],
    naming: Naming,
    metadata: frozenset[str] = frozenset(),
    redactor: ValueRedactor = NOTHING_SECRET,
) -> ExtractedApp:
    """
    The app with this key and these resources. `metadata` are the keys that the tree already owns.

    Secrets that the `redactor` knows are replaced by their variables.
    """
    root = extract_resource(app_address(key), app, naming, metadata, redactor)
    parts = [
        extract_resource(address_of(item, key, naming), item, naming, redactor=redactor) for item in resources
    ]
    parts.sort(key=lambda part: part.resource.address)
    return ExtractedApp(
        app=DesiredApp(
            key=key,
            app=root.resource,
            resources=tuple(part.resource for part in parts),
            folders=frozenset(KindName(part.resource.address.kind) for part in parts),
        ),
        notices=tuple(notice for part in (root, *parts) for notice in part.notices),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractedResource:
    """One resource in the form of a file."""

    resource: DesiredResource
    notices: tuple[str, ...] = ()


def extract_resource(
    address: Address,
    live: LiveResource,
    naming: Naming,
    metadata: frozenset[str] = frozenset(),
    redactor: ValueRedactor = NOTHING_SECRET,
) -> ExtractedResource:
    """Extract one live resource. `$id` is set if the id is not the key."""
    kind = kind_of(live.kind)
    found = normalize(kind.spec, live.body, naming)
    found = replace(found, body=redactor.redact(found.body))
    unfit = misfits(kind.spec, found)
    cut = cut_out(kind.spec, found.body, unfit)
    body, foreign = _without_foreign(kind.spec, _WithoutFilled().message(kind.spec, cut.body), metadata)
    extra = {str(path): value for path, value in _newer_fields(found)}
    resource = DesiredResource(
        address=address,
        body=body,
        file="",
        resource_id=live.id if kind.id_parameter and live.id != address.key else None,
        ownership=Ownership.DECLARED if cut.is_partial else kind.ownership,
        ignore=cut.ignore,
        extra=extra,
    )
    notices = [f"{address}: {text}" for text in (*cut.notices, *_carried_over(found), *foreign)]
    return ExtractedResource(resource=resource, notices=tuple(notices))


def _newer_fields(found: Normalized) -> Iterator[tuple[FieldPath, Any]]:
    """Fields that the models do not know, at places that a mask can name."""
    for path, value in found.unknown:
        if len(path.fields) == len(path.segments) and take(found.body, path.fields) is None:
            yield path, value


def _carried_over(found: Normalized) -> Iterator[str]:
    """Notices for unknown fields inside lists and maps, which a mask cannot name."""
    for path, _ in found.unknown:
        is_field = len(path.fields) < len(path.segments) and isinstance(path.segments[-1], str)
        if is_field and not _is_known(path, found.body):
            yield f"`{path}` is unknown to this version and stays only on the server"


def _is_known(path: FieldPath, body: Any) -> bool:
    value = body
    for segment in path.segments:
        step = getattr(segment, "position", getattr(segment, "key", segment))
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return False
    return True


class _WithoutFilled(Rewriting):
    """
    A canonical body without values that the service sets itself.

    Values derived from other fields are kept, because files are matched by these names. Lists and maps stay
    unchanged.
    """

    def field(self, known: FieldSpec, value: Any, at: Trail) -> Any:
        if known.cardinality is not Cardinality.ONE or not value:
            return value
        if known.filled_in and known.filled_in == value:
            return ABSENT
        inner = self.one(known, value, at)
        return ABSENT if inner == {} and not known.has_presence else inner


def _without_foreign(spec: MessageSpec, body: Body, owned: frozenset[str]) -> tuple[Body, list[str]]:
    """A body without the map entries that belong to others, and notices about them."""
    kept, notices = dict(body), []
    for known in spec.settable:
        if known.mark(OwnedByKey) is None or not isinstance(body.get(known.name), dict):
            continue
        ours = {key: value for key, value in body[known.name].items() if key in owned}
        others = sorted(key for key in body[known.name] if key not in owned and not key.startswith(PREFIX))
        if others:
            names = ", ".join(f"`{key}`" for key in others)
            notices.append(f"`{known.name}` has {names}, which are not managed until the file names them")
        kept.pop(known.name)
        if ours:
            kept[known.name] = ours
    return kept, notices


def _named_by_others(live: LiveApp, naming: Naming) -> frozenset[tuple[str, str]]:
    """The kind and id of everything that other resources of the app refer to."""
    plain = replace(naming, ids={}, keys={}, aliases={})
    return frozenset(
        (kind, key.removeprefix("@"))
        for item in (live.app, *everything(live))
        for kind, _, key in (text.partition("/") for text in _references(kind_of(item.kind), item, plain))
    )


def _references(kind: Kind, item: LiveResource, naming: Naming) -> list[str]:
    return [text for _, text in references(kind.spec, normalize(kind.spec, item.body, naming).body)]
