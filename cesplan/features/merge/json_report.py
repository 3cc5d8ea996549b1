"""The result of a merge, or of a checked one, for machines."""

from collections.abc import Iterator
from typing import Any, Self

from cesplan.domain.features.merge import (
    AppMerge,
    Fate,
    FieldMerge,
    MergedResource,
    MergeOutcome,
    MergeResult,
    ResourceFate,
    Side,
)
from cesplan.domain.text.text_merge import Collision
from cesplan.domain.value import mask_secrets
from cesplan.model.kinds import kind_of
from cesplan.render.field_redactor import FieldRedactor
from cesplan.render.machine.formats.base import AddressText, Document, Format, optional
from cesplan.render.machine.formats.plan import ImpactJson, TypedDiffJson, WeakeningJson


class CollisionJson(Format):
    """A place in a text that both sides changed differently."""

    line: int
    """The first line of it in the tree's text, from 1."""
    lines: int
    """How many lines of the tree's text it affects."""
    base: str | None
    """The last applied text there: lines, or a sentence of a paragraph; null if there was none."""
    tree: str | None
    """The value in the tree; null if the tree removed it."""
    live: str | None
    """The live value there; null if live removed it."""

    @classmethod
    def of(cls, item: Collision) -> Self:
        return cls.from_value(item, tree=item.ours, live=item.theirs)


class MergedFieldJson(Format):
    """A field that is not the same everywhere."""

    address: AddressText
    """The resource."""
    path: str
    """The field."""
    verdict: MergeResult
    """The result of the merge."""
    won: Side
    """How a conflict was decided: `ours`, `theirs`, or `neither`."""
    base: Any
    """The last applied value; null if it was absent."""
    tree: Any
    """The value in the tree; null if it is absent."""
    live: Any
    """The live value; null if it is absent."""
    why: str | None = optional()
    """Why the live value cannot be written to a file."""
    file: str | None = optional()
    """The file of a text that is in a separate file."""
    merged: Any = optional()
    """The text or list with the edits of both sides, as written to the file."""
    collisions: tuple[CollisionJson, ...] | None = optional()
    """The places in a text where edits of both sides collide."""
    author: str | None = optional()
    """Who edited the field live, according to the change log; only for open decisions."""
    changed_at: str | None = optional()
    """When (RFC 3339)."""
    typed_diff: TypedDiffJson | None = optional()
    """For texts and schemas: what the difference between the tree and the taken value means."""

    @classmethod
    def all_of(cls, item: MergedResource, app: AppMerge) -> Iterator[Self]:
        redactor = FieldRedactor(kind_of(item.address.kind).spec, frozenset())
        for found in item.fields:
            edit = app.edits.get((item.address, str(found.path)))
            is_shown = isinstance(redactor.value(found.path, found.tree), str)
            yield cls(
                address=item.address,
                path=str(found.path),
                verdict=found.result,
                won=found.won,
                base=_shown(redactor, found, found.base),
                tree=_shown(redactor, found, found.tree),
                live=_shown(redactor, found, found.live),
                why=found.why or None,
                file=found.file or None,
                merged=None if found.merged is None else _shown(redactor, found, found.merged),
                collisions=tuple(map(CollisionJson.of, found.collisions)) or None if is_shown else None,
                author=(edit.author or None) if edit else None,
                changed_at=(edit.time or None) if edit else None,
                typed_diff=TypedDiffJson.from_value(found.typed) if found.typed else None,
            )


def _shown(redactor: FieldRedactor, field: FieldMerge, value: Any) -> Any:
    return mask_secrets(redactor.value(field.path, value))


class FateJson(Format):
    """A resource that exists on one side only."""

    address: AddressText
    """The resource."""
    fate: Fate
    """The result of the merge."""
    won: Side
    """How a conflict was decided: `ours`, `theirs`, or `neither`."""
    open: bool
    """Whether it is unresolved."""
    referrers: tuple[str, ...] | None = optional()
    """Resources of the merged tree that still refer to a resource that was deleted live."""
    author: str | None = optional()
    """Who edited or deleted it live, according to the change log; only for open decisions."""
    changed_at: str | None = optional()
    """When (RFC 3339)."""

    @classmethod
    def of(cls, item: ResourceFate, app: AppMerge) -> Self:
        edit = app.edits.get((item.address, ""))
        return cls.from_value(
            item,
            referrers=item.referrers or None,
            author=(edit.author or None) if edit else None,
            changed_at=(edit.time or None) if edit else None,
        )


class ByHandJson(Format):
    """A live change that must be written by hand."""

    address: str
    """The resource."""
    path: str
    """The field."""
    why: str
    """Why its file was left as it is."""


class ReCreatedJson(Format):
    """A resource that is live under an id other than its `$id`."""

    address: AddressText
    """The resource."""
    old: str
    """The `$id`, which is gone."""
    new: str
    """The current id."""


class WeakenedJson(WeakeningJson):
    """One way in which the taken edits weaken protection."""

    address: AddressText
    """The resource."""

    @classmethod
    def all_of(cls, app: AppMerge) -> tuple[Self, ...]:
        return tuple(
            cls.from_value(found, address=item.address) for item in app.resources for found in item.weakens
        )


class ReachJson(Format):
    """The impact of a resource, in the tree before the merge."""

    address: AddressText
    """The resource."""
    impact: ImpactJson
    """Its impact."""


class AppMergeJson(Format):
    """The merge of one app."""

    app: str
    """The key of the app."""
    base: str
    """The source of the last applied state, in words."""
    weaker_because: str
    """Why a better base was not available; empty if it is the best."""
    fields: tuple[MergedFieldJson, ...]
    """The fields that are not the same everywhere."""
    resources: tuple[FateJson, ...]
    """The resources that one side lacks."""
    by_hand: tuple[ByHandJson, ...]
    """Live changes that must be written by hand."""
    ids: tuple[AddressText, ...]
    """Resources whose files get an `$id` line."""
    re_created: tuple[ReCreatedJson, ...]
    """Resources that were re-created under another id, such as by an import."""
    notices: tuple[str, ...]
    """Notices."""
    weakens: tuple[WeakenedJson, ...] | None = optional()
    """How the taken edits weaken protection; absent if they do not."""
    reaches: tuple[ReachJson, ...] | None = optional()
    """The impact of the resources in `fields` that take part in conversations; absent if none do."""

    @classmethod
    def of(cls, app: AppMerge) -> Self:
        return cls.from_value(
            app,
            app=app.key,
            weaker_because=app.weaker,
            fields=tuple(field for item in app.resources for field in MergedFieldJson.all_of(item, app)),
            resources=tuple(FateJson.of(item, app) for item in app.fates),
            by_hand=tuple(
                ByHandJson(address=address, path=path, why=why)
                for (address, path), why in sorted(app.refused.items())
            ),
            weakens=WeakenedJson.all_of(app) or None,
            reaches=tuple(ReachJson.from_value(item) for item in app.resources if item.impact is not None)
            or None,
        )


class MergeReport(Document):
    """`cesplan pull --merge --format json`."""

    check: bool
    """Whether nothing was written because of `--check`."""
    service: str
    """The service that answered; empty for the default one."""
    apps: tuple[AppMergeJson, ...]
    """The merge of each app."""
    written: tuple[str, ...]
    """The files that were written, or would be with `--check`."""
    removed: tuple[str, ...]
    """The files that were removed, or would be with `--check`."""
    also_changes: dict[str, tuple[AddressText, ...]]
    """Other resources that a file changes, by file."""

    @classmethod
    def of(cls, merged: MergeOutcome) -> Self:
        return cls.from_value(
            merged,
            also_changes=dict(sorted(merged.touched.items())),
        )
