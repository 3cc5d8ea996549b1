"""The request of a run: every setting is in it, and is read back from the run that it becomes."""

import pytest

from cesplan.domain.features.evaluation import (
    Channel,
    Demand,
    Demanded,
    Method,
    PersonaTasks,
    RunSettings,
    ToolBehavior,
)
from cesplan.features.evaluation.request import personas_of, request_body, settings_of_run, unique_name

APP = "projects/acme/locations/us/apps/desk1"
CALM = PersonaTasks(persona=f"{APP}/evaluationPersonas/calm", tasks=3)
SETTINGS = [
    RunSettings(),
    RunSettings(version="v1", channel=Channel.AUDIO, method=Method.NAIVE, tools=ToolBehavior.FAKE, repeats=7),
    RunSettings(personas=(CALM,)),
]


@pytest.mark.parametrize("settings", SETTINGS)
def test_what_is_sent_is_read_back(settings):
    """The run repeats what it was asked."""
    gold = Demanded(name=f"{APP}/evaluations/e", reference="evaluations/e", display_name="E", turns=2)
    body = request_body(Demand(app=APP, app_key="desk", evaluations=(gold,), settings=settings), "cesplan 1")
    assert settings_of_run(body) == settings
    assert body["evaluationRunCachingSettings"] == {"runCachingMode": "FORCE_RUN"}
    assert body["evaluations"] == [gold.name]


def test_a_dataset_is_sent_instead_of_its_members():
    demand = Demand(app=APP, app_key="desk", evaluations=(), dataset=f"{APP}/evaluationDatasets/d")
    body = request_body(demand, "cesplan 1")
    assert (body["evaluationDataset"], "evaluations" in body) == (f"{APP}/evaluationDatasets/d", False)


@pytest.mark.parametrize(
    ("run", "found"),
    [
        ({}, ()),
        ({"personaRunConfigs": "calm"}, ()),
        ({"personaRunConfigs": [{"persona": CALM.persona}, 7]}, (PersonaTasks(persona=CALM.persona),)),
        ({"personaRunConfigs": [{"taskCount": -1}]}, (PersonaTasks(persona=""),)),
    ],
)
def test_personas_of_a_run_are_read_whatever_it_says(run, found):
    assert personas_of(run) == found


def test_no_two_runs_have_one_name():
    assert len({unique_name() for _ in range(100)}) == 100


@pytest.mark.parametrize(
    ("turns", "settings", "repeats", "sessions"),
    [
        (2, RunSettings(repeats=3), 3, 6),
        (2, RunSettings(repeats=3, method=Method.NAIVE), 3, 3),
        (2, RunSettings(repeats=0), 1, 2),
        (0, RunSettings(repeats=3), 3, 3),
        (0, RunSettings(repeats=0), 5, 5),
        (0, RunSettings(repeats=3, personas=(CALM,)), 3, 3),
        (0, RunSettings(repeats=9, personas=(CALM, PersonaTasks(persona="p", tasks=2))), 5, 5),
        (2, RunSettings(repeats=9, personas=(CALM,)), 9, 18),
    ],
)
def test_repeats_and_sessions_are_counted(turns, settings, repeats, sessions):
    """A scenario by its personas, where there are some."""
    item = Demanded(name="n", reference="evaluations/e", display_name="E", turns=turns)
    assert (item.repeats(settings), item.sessions(settings)) == (repeats, sessions)
