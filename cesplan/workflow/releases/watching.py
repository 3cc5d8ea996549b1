"""Watching: the conversations of a canary since its step began."""

from datetime import datetime

from cesplan.domain.errors import InvalidRequest, NotFound
from cesplan.domain.features.evaluation import EvaluationVerdict
from cesplan.domain.features.release import CanaryStep
from cesplan.domain.resource_name import last_id
from cesplan.domain.service.side_by_side import result_of, side_by_side
from cesplan.domain.text.times import moment, timestamp
from cesplan.domain.value import Body
from cesplan.features.releases.canary import (
    CanaryFinding,
    CanaryReport,
    Due,
    judge_step,
    seen_of,
)
from cesplan.workflow.releases.opening import OpenRelease

MOST_CONVERSATIONS = 20_000
"""The most conversations of an app since a step began: more would take too long."""
_MOST_WHOLE = 2_000
"""The most conversations that are read one by one if the list does not have their turns."""
_WORKERS = 8


def watch(opened: OpenRelease, step: CanaryStep, now: datetime) -> CanaryReport:
    """What is due at the current step of the release. Raises errors of the service."""
    assert opened.deployment is not None  # a release that is at a step has a deployment
    began = moment(opened.deployment.body.get("updateTime"))
    if began is None:
        return _held(
            "time", "The service does not say when the traffic was moved, so the hold time cannot end."
        )
    needs = bool(step.conversations or step.conditions)
    bodies = _conversations(opened, began) if needs else ()
    if len(bodies) >= MOST_CONVERSATIONS:
        text = f"There are more than {MOST_CONVERSATIONS:,} conversations since the step began."
        return _held("conversations", text)
    name = opened.deployment.name
    seen = [found for body in _whole(opened, bodies, name, began) if (found := seen_of(body, name, began))]
    versions = (opened.release.candidate, opened.position.served)
    candidate, served = (last_id(opened.naming.to_name(item)) for item in versions)
    return judge_step(step, seen, candidate=candidate, served=served, began=began, now=now)


def _held(what: str, text: str) -> CanaryReport:
    """The step goes on, because this is not known."""
    finding = CanaryFinding(what=what, verdict=EvaluationVerdict.INCONCLUSIVE, text=text)
    return CanaryReport(due=Due.HOLD, findings=(finding,))


def _conversations(opened: OpenRelease, began: datetime) -> tuple[Body, ...]:
    """Filtered by time if the service supports it: the fields of a filter are not documented."""
    client, app = opened.client, opened.app_name
    since = timestamp(began)
    try:
        return client.list_conversations(app, condition=f'start_time >= "{since}"', at_most=MOST_CONVERSATIONS)
    except InvalidRequest:
        return client.list_conversations(app, condition="", at_most=MOST_CONVERSATIONS)


def _whole(opened: OpenRelease, bodies: tuple[Body, ...], name: str, began: datetime) -> list[Body]:
    """Those of the deployment, in full; beyond the limit, as listed."""
    mine = [item for item in bodies if seen_of(item, name, began) is not None]
    incomplete = [item for item in mine if not item.get("turns") and not item.get("messages")][:_MOST_WHOLE]
    client = opened.client

    def read(item: Body) -> Body:
        try:
            return client.read(str(item["name"]))
        except NotFound:
            return item

    with side_by_side(_WORKERS, client.interrupt) as pool:
        futures = [(str(item["name"]), pool.submit(read, item)) for item in incomplete]
        found = {name: result_of(future) for name, future in futures}
    return [found.get(str(item["name"]), item) for item in mine]
