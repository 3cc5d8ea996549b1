"""Choosing evaluations of a live app, and what each of them demands."""

import pytest

from cesplan.domain.address import KindName
from cesplan.domain.errors import UsageError
from cesplan.domain.features.evaluation import EvaluationChoice
from cesplan.domain.live import LiveApp, LiveResource
from cesplan.domain.naming import Naming
from cesplan.domain.resource_name import Place
from cesplan.features.evaluation.choice import choose, demanded
from cesplan.model.kinds import DATASETS, EVALUATIONS

APP = "projects/acme/locations/us/apps/desk1"
NAMING = Naming(place=Place(project="acme", location="us"), app_id="desk1")


def resource(kind, key, **body):
    return LiveResource(kind=KindName(kind), body={"name": f"{APP}/{kind}/{key}", **body})


REFUND = resource("evaluations", "refund", displayName="Refund *", tags=["money"], golden={"turns": [{}, {}]})
MOOD = resource("evaluations", "mood", displayName="Mood", tags=["money", "soft"], scenario={"task": "t"})
LIVE = LiveApp(
    app=resource("apps", "desk1"),
    children={
        EVALUATIONS: (REFUND, MOOD),
        DATASETS: (
            resource("evaluationDatasets", "nightly", displayName="Nightly", evaluations=[REFUND.name]),
            resource("evaluationDatasets", "empty", displayName="Empty"),
            resource("evaluationDatasets", "torn", displayName="Torn", evaluations=[f"{APP}/evaluations/gone"]),
        ),
    },
)


def chosen(**asked):
    return [item.reference for item in choose(EvaluationChoice(**asked), LIVE, NAMING).evaluations]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"everything": True}, ["evaluations/mood", "evaluations/refund"]),
        ({"tags": ("soft",)}, ["evaluations/mood"]),
        ({"tags": ("money", "soft")}, ["evaluations/mood", "evaluations/refund"]),
        ({"names": ("ref*",)}, ["evaluations/refund"]),
        ({"names": ("evaluations/mood",)}, ["evaluations/mood"]),
        ({"datasets": ("Nightly",), "names": ("Mood",)}, ["evaluations/mood", "evaluations/refund"]),
    ],
)
def test_what_is_named_adds_up(asked, found):
    """By key, address, display name, tag and dataset."""
    assert chosen(**asked) == found


def test_one_dataset_alone_is_run_as_such():
    only = choose(EvaluationChoice(datasets=("nightly",)), LIVE, NAMING)
    assert only.dataset == f"{APP}/evaluationDatasets/nightly"
    both = choose(EvaluationChoice(datasets=("nightly",), tags=("soft",)), LIVE, NAMING)
    assert both.dataset == ""


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"tags": ("sofd",)}, "Did you mean `soft`?"),
        ({"names": ("Moud",)}, "Did you mean `Mood`?"),
        ({"datasets": ("weekly",)}, "no dataset `weekly`"),
        ({"datasets": ("empty",)}, "The dataset `Empty` is empty."),
        ({"datasets": ("torn",)}, "refers to evaluations that do not exist"),
    ],
)
def test_what_means_nothing_is_an_error(asked, said):
    with pytest.raises(UsageError) as raised:
        chosen(**asked)
    assert said in raised.value.summary


def test_the_digest_is_that_of_what_is_demanded():
    """A later edit of it is noticed; what the service writes for itself is none."""
    one = demanded(REFUND, {}, NAMING)
    assert (one.turns, demanded(MOOD, {}, NAMING).turns) == (2, 0)
    same = LiveResource(kind=EVALUATIONS, body={**REFUND.body, "updateTime": "2026", "evaluationRuns": ["r"]})
    other = LiveResource(kind=EVALUATIONS, body={**REFUND.body, "golden": {"turns": [{}, {"steps": []}]}})
    assert demanded(same, {}, NAMING).digest == one.digest != demanded(other, {}, NAMING).digest
