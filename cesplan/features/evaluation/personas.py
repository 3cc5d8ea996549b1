"""Personas: the simulated users requested for scenarios, and those that played."""

from collections import Counter
from collections.abc import Iterator, Sequence

from cesplan.domain.errors import UsageError
from cesplan.domain.features.evaluation import Demanded, PersonaTasks, Problem
from cesplan.domain.naming import Naming
from cesplan.domain.resource_name import last_id
from cesplan.domain.value import Body, as_object
from cesplan.features.evaluation.request import personas_of

_MOST_NAMES = 20


def personas_named(requested: Sequence[tuple[str, int]], app: Body, naming: Naming) -> tuple[PersonaTasks, ...]:
    """
    The personas of a live app by key, id, full name, or display name, each with its number of tasks.

    Raises UsageError for one that the app does not have, and for one that is named twice.
    """
    found = [
        PersonaTasks(persona=str(body["name"]), title=str(body.get("displayName") or ""), tasks=tasks)
        for text, tasks in requested
        for body in [_named(text, app, naming)]
    ]
    for name, number in Counter(item.persona for item in found).items():
        if number > 1:
            raise UsageError(summary=f"The persona `{last_id(name)}` is named twice.")
    return tuple(found)


def check_played(personas: Sequence[PersonaTasks], evaluations: Sequence[Demanded]) -> None:
    """Raise UsageError if no chosen evaluation has a user to play."""
    if personas and all(item.is_golden for item in evaluations):
        raise UsageError(
            summary="No chosen evaluation is a scenario, so personas have nothing to play.",
            detail="Nothing was started. Golden conversations contain the words of the user.",
        )


def persona_title(result: Body) -> str:
    """The display name of a result's persona; empty if it has none."""
    persona = _persona(result)
    return str(persona.get("displayName") or last_id(str(persona.get("name") or "")))


def persona_problems(demanded: Sequence[PersonaTasks], results: Sequence[Body]) -> Iterator[Problem]:
    """Problems where the requested personas did not play a scenario as often as requested."""
    played = Counter(last_id(str(_persona(result).get("name") or "")) for result in results)
    for item in demanded:
        number = played.pop(last_id(item.persona), 0)
        if number != item.tasks:
            name = item.title or last_id(item.persona)
            yield Problem(text=f"{number} results were played by `{name}` instead of {item.tasks}.")
    for name, number in sorted(played.items()):
        who = f"by `{name}`, who was not requested" if name else "without a persona"
        yield Problem(text=f"{number} results were played {who}.")


def run_persona_problems(demanded: Sequence[PersonaTasks], run: Body) -> Iterator[Problem]:
    """A problem if the run names personas other than those requested; none if the run names no personas."""
    stated = personas_of(run)
    ours = {last_id(item.persona): item.tasks for item in demanded}
    theirs = {last_id(item.persona): item.tasks for item in stated}
    if theirs and ours != theirs:
        listed = ", ".join(f"{name} ×{tasks}" for name, tasks in sorted(theirs.items()))
        yield Problem(text=f"The run has other personas than requested: {listed}.")


def _named(text: str, app: Body, naming: Naming) -> Body:
    listed = [item for item in app.get("evaluationPersonas") or () if isinstance(item, dict)]
    found = [item for item in listed if text in _spellings(item, naming)]
    found = found or [item for item in listed if item.get("displayName") == text]
    if len(found) == 1:
        return found[0]
    rows = [f"    {_spellings(item, naming)[0]}   {item.get('displayName', '')}".rstrip() for item in listed]
    raise UsageError(
        summary=f"The app has {'more than one' if found else 'no'} persona `{text}`.",
        detail="\n".join(["Available personas:", *rows[:_MOST_NAMES]]) if rows else "It has no personas.",
    )


def _spellings(persona: Body, naming: Naming) -> tuple[str, str, str]:
    name = str(persona.get("name") or "")
    return naming.to_key(name) or last_id(name), last_id(name), name


def _persona(result: Body) -> Body:
    found = result.get("persona")
    return as_object(found)
