"""The blockers of a gate: live must have the golden conversations, expectations, and thresholds of the tree."""

from collections.abc import Iterator
from dataclasses import replace

from cesplan.domain.address import KindName
from cesplan.domain.desired import Desired, DesiredResource
from cesplan.domain.features.evaluation import EvaluationVerdict
from cesplan.domain.features.gate import Objection
from cesplan.domain.features.release import Release
from cesplan.domain.plan import Action, Operation, Plan
from cesplan.domain.settings import Ownership
from cesplan.domain.text.words import some_of

_JUDGING = frozenset(map(KindName, ("evaluations", "evaluationExpectations", "evaluationDatasets")))
_APP_FIELDS = "evaluation"
"""The prefix of the app fields that set the requirements of evaluations."""
_MOST_PATHS = 3


def strictly(desired: Desired) -> Desired:
    """
    The same tree, without the settings that would hide a difference in a golden or a threshold.

    `$ignore` and declared ownership leave live fields alone, so a threshold could be lowered unnoticed.
    """
    apps = tuple(
        replace(
            app,
            app=_fully_owned(app.app),
            resources=tuple(
                _fully_owned(item) if item.address.kind in _JUDGING else item for item in app.resources
            ),
            folders=app.folders | (_JUDGING & {item.address.kind for item in app.resources}),
        )
        for app in desired.apps
    )
    return replace(desired, apps=apps)


def _fully_owned(item: DesiredResource) -> DesiredResource:
    return replace(item, ownership=Ownership.FULL, ignore=())


def blockers_of(release: Release, plan: Plan) -> Iterator[Objection]:
    """The blockers that a plan of the strict tree shows for the app of a release."""
    mine = [item for item in plan.operations if item.address.app == release.app]
    for item in mine:
        if item.address.kind in _JUDGING:
            yield Objection(where=item.address.within_app, text=_description(item))
        elif item.address.is_app and (paths := _bars(item)):
            yield Objection(where=release.app, text=_differs(paths))
        elif item.action is Action.CREATE and item.address.within_app == release.candidate:
            yield Objection(
                where=release.candidate,
                text="The candidate is not live: apply the tree.",
                verdict=EvaluationVerdict.INCONCLUSIVE,
            )


def _bars(item: Operation) -> list[str]:
    return [str(change.path) for change in item.changes if str(change.path).startswith(_APP_FIELDS)]


def _description(item: Operation) -> str:
    match item.action:
        case Action.CREATE:
            return "It is not live. Apply the tree."
        case Action.DELETE:
            return "It is live but not in the tree. Apply the tree."
        case Action.UPDATE:
            return _differs([str(change.path) for change in item.changes])


def _differs(paths: list[str]) -> str:
    return f"Live differs from the tree: {some_of(paths, _MOST_PATHS)}. Apply the tree."
