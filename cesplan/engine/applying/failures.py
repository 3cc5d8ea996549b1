"""Failures: the errors that applying itself raises. They say what happened and what to do."""

from collections.abc import Sequence

from cesplan.domain.errors import AlreadyExists, ApiError, CesplanError, Conflict, LostResponse
from cesplan.domain.resource_name import within_app
from cesplan.domain.text.words import some_of
from cesplan.engine.comparing.resource_names import Target

_MOST_PATHS = 8


def moved(target: Target, paths: Sequence[str] = ()) -> Conflict:
    """The resource is not as this run last saw it; `paths` are the fields that differ."""
    named = ", ".join(paths[:_MOST_PATHS]) + (", …" if len(paths) > _MOST_PATHS else "")
    where = f" in {named}" if named else ""
    return _conflict(
        target,
        f"{_short(target)} changed{where} after this plan was made.",
        "It was not overwritten. Make a new plan to see both changes.",
    )


def contents_moved(target: Target, names: Sequence[str], first: str) -> Conflict:
    """
    The contents of an app to delete are not as this run last saw them; `first` is the name of one of them.
    """
    error = _conflict(
        target,
        f"{some_of(names, _MOST_PATHS)} in {_short(target)} changed after this plan was made.",
        "The app was not deleted. Make a new plan to see what would be deleted with it.",
    )
    error.resource = first
    return error


def gone(target: Target) -> Conflict:
    """The resource to update no longer exists."""
    return _conflict(
        target,
        f"{_short(target)} was deleted after this plan was made.",
        "Make a new plan: it will create the resource again.",
    )


def remade(target: Target) -> Conflict:
    """A version that the write refers to is not the one that the plan saw."""
    return _conflict(
        target,
        f"{_short(target)} was deleted and re-created after this plan was made.",
        "It may have other content, so no deployment was changed to serve it. Make a new plan to compare it.",
    )


def referred_since(target: Target, names: Sequence[str]) -> Conflict:
    """A forced delete would change referrers that the plan does not list."""
    return _conflict(
        target,
        f"{some_of(names, _MOST_PATHS)} got a reference to {_short(target)} after this plan was made.",
        "A forced delete would change them too. Nothing was written. Make a new plan to see them.",
    )


def taken(target: Target, error: AlreadyExists) -> Conflict:
    """Someone else created a resource with this id first."""
    conflict = _conflict(
        target,
        f"{_short(target)} was created outside cesplan after this plan was made.",
        "It was not changed. Make a new plan to compare it with the tree.",
    )
    conflict.status, conflict.http_status = error.status, error.http_status
    return conflict


def not_ours(target: Target) -> Conflict:
    """After a lost response, the id exists, but not with the content that was sent."""
    return _conflict(
        target,
        f"{_short(target)} exists but differs from what was sent: it was created or changed outside cesplan.",
        "It was not changed. Make a new plan to compare it with the tree.",
    )


def not_as_reviewed(target: Target, unlike: Sequence[str], stays: str) -> Conflict:
    """
    A new version contains content that was not reviewed. `stays` says why it still exists; empty if it was
    deleted.
    """
    fate = (
        f"It could not be deleted again ({stays}). Delete it, or the next apply may serve it."
        if stays
        else "It was deleted again. Make a new plan to see what changed."
    )
    return _conflict(
        target,
        f"{_short(target)} would serve content that was not reviewed: {some_of(unlike, _MOST_PATHS, '; ')}.",
        f"This changed after the plan was made, and a version copies the whole app. {fate}",
    )


def answered_with_another(target: Target, name: str) -> CesplanError:
    """The response to a create is a resource with another id."""
    return ApiError(
        summary=f"The service did not create {_short(target)}: it returned {within_app(name)} instead.",
        detail="The service may not create a version if nothing has changed since the newest one.",
        method="create",
        resource=target.name,
    )


def empty_mask(target: Target) -> CesplanError:
    """An update without a mask would update every field."""
    return CesplanError(
        summary=f"The update of {_short(target)} has an empty updateMask, so it was not sent.",
        detail="An update without a mask would overwrite every field. Make a new plan.",
    )


def undetermined(target: Target, lost: LostResponse, look: CesplanError | None = None) -> CesplanError:
    """The response was lost. `look` is the error of the re-read, if that failed."""
    why = (
        f"Reading it failed too: {look.summary}"
        if look
        else "The resource looks the same with and without this write."
    )
    detail = "\n".join(filter(None, (lost.detail, why, "Run the same command again to find out.")))
    return LostResponse(
        summary=lost.summary,
        detail=detail,
        status=lost.status,
        http_status=lost.http_status,
        method=lost.method,
        resource=target.name,
    )


def not_awaited(target: Target) -> CesplanError:
    """The run was interrupted before the response to a request."""
    return LostResponse(
        summary=f"The outcome of {_short(target)} is unknown: interrupted before the reply.",
        detail="The write was in progress. Run the same command again to find out.",
        resource=target.name,
    )


def unexpected(target: Target, error: BaseException) -> CesplanError:
    """An unexpected exception. Only its name is safe to show."""
    return CesplanError(
        summary=f"Unexpected {type(error).__name__} while writing {_short(target)}.",
        detail="This is a bug in cesplan. `--debug` shows where it happened.",
    )


def _conflict(target: Target, summary: str, detail: str) -> Conflict:
    return Conflict(summary=summary, detail=detail, status="ABORTED", http_status=409, resource=target.name)


def _short(target: Target) -> str:
    return within_app(target.name)
