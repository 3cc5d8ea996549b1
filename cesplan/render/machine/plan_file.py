"""
A plan file as text: written with a digest, and read back into exactly the plan that was written, without I/O.

A file that is not a plan, was edited, or has a newer major format is refused. `file_digest` covers everything
in the file except `made` and the digest itself.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from pydantic import ValidationError

from cesplan.domain.reviewed import PlanFileError, Reviewed
from cesplan.render.documents import compact_of, lines_of
from cesplan.render.machine.digests import change_digest, document_digest
from cesplan.render.machine.formats.base import check_version, problems
from cesplan.render.machine.formats.plan_files.plan_file import AGAIN, FiledChange, PlanFile

CHANGES = "resource_changes"
MADE = "made"
DIGEST = "file_digest"
_MOST_PLACES = 3


def plan_file_text(reviewed: Reviewed) -> str:
    """
    The text of a plan file, ended by a line feed. Each resource is a line.

    Raises CesplanError if the plan sends a secret from unknown variables.
    """
    file = PlanFile.filed(reviewed)
    document = file.model_dump(exclude={CHANGES}) | {CHANGES: ()}
    lines: list[str] = []
    digest = file_digest({**document, CHANGES: _written(file.resource_changes, lines)})
    names = [name for name in PlanFile.model_fields if name in document]
    del file  # the texts of its resources are as large as it is
    return lines_of({name: document[name] for name in names} | {DIGEST: digest}, {CHANGES: lines})


def _written(changes: Iterable[FiledChange], lines: list[str]) -> Iterator[dict[str, Any]]:
    """Each change as a JSON value, one at a time; its text is added to `lines`."""
    for change in changes:
        document = change.document()
        lines.append(compact_of(document))
        yield document


def file_digest(document: dict[str, Any]) -> str:
    """The digest of everything in a plan file except the time it was made and the digest itself."""
    return document_digest({name: value for name, value in document.items() if name not in (MADE, DIGEST)})


def open_plan_file(text: str) -> PlanFile:
    """The content of an unedited plan file. Raises PlanFileError."""
    document = _document(text)
    is_edited = document[DIGEST] != file_digest(document)
    try:
        found = PlanFile.model_validate_json(text)
    except ValidationError as error:
        why = "It is intact, but its contents are not in the format that this version writes."
        raise _refused(is_edited, why, problems(error)) from error
    if is_edited:
        raise _refused(is_edited, "", _changed(found))
    return found


def _refused(is_edited: bool, why: str, places: Iterable[str]) -> PlanFileError:
    """`why` applies to a file that was not edited; `places` are the first places to check."""
    summary = "This plan file cannot be read."
    if is_edited:
        summary = "This plan file was edited after it was written."
        why = "Its contents do not match its checksum, so it is not used."
    where = "".join(f"\n\n    {item}" for item in islice(places, _MOST_PLACES))
    return PlanFileError(summary=summary, detail=f"{why}{where}\n\n{AGAIN}" if where else f"{why} {AGAIN}")


def reviewed_plan(file: PlanFile, variables: Mapping[str, str]) -> Reviewed:
    """
    The plan in a file. `variables` are the values of secret variables; secrets whose variable is missing have
    no text. Raises PlanFileError.
    """
    try:
        return file.value(variables)
    except (LookupError, TypeError, ValueError) as error:
        raise PlanFileError(
            summary="This plan file cannot be read.",
            detail=f"It is intact, but a secret in it is in a place that does not exist. {AGAIN}",
        ) from error


def read_plan_file(text: str, variables: Mapping[str, str] | None = None) -> Reviewed:
    """The plan that the text of a plan file holds. Raises PlanFileError."""
    return reviewed_plan(open_plan_file(text), variables or {})


def _document(text: str) -> dict[str, Any]:
    """The JSON object in a plan file, edited or not."""
    try:
        document = json.loads(text, object_pairs_hook=_members)
    except _Twice as error:
        raise PlanFileError(
            summary=f"This plan file was edited after it was written: it has `{error}` twice.", detail=AGAIN
        ) from error
    except (ValueError, RecursionError) as error:
        raise PlanFileError(summary="This is not a plan file: it is not JSON.", detail=AGAIN) from error
    if not isinstance(document, dict) or "resource_changes" not in document:
        raise PlanFileError(summary="This is not a plan file.", detail=AGAIN)
    try:
        check_version(document)
    except ValueError as error:
        version = document.get("format_version") or "?"
        raise PlanFileError(
            summary=f"The plan file has format {version}, which is unknown.", detail=str(error)
        ) from error
    if DIGEST not in document or not isinstance(document.get("apply"), dict):
        raise PlanFileError(summary="This is the JSON report of a plan, not a plan file.", detail=AGAIN)
    return document


class _Twice(ValueError):
    """An object has the same member twice: JSON readers differ in which one they use."""


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise _Twice(name)
        found[name] = value
    return found


def _changed(file: PlanFile) -> Iterator[str]:
    """The resources of an edited file whose own digests no longer match."""
    for position, item in enumerate(file.resource_changes):
        try:
            digest = change_digest(item.value({}))
        except (LookupError, TypeError, ValueError):
            digest = ""
        if digest != item.change_digest:
            yield f"`resource_changes[{position}]` ({item.address}) is not what was reviewed"
