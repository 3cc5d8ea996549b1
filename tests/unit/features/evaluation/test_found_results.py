"""Reading the results that a run lists: its own, once each, and never without a bound."""

from cesplan.domain.errors import NotFound
from cesplan.features.evaluation.found_results import evaluation_of, read_results

APP = "projects/acme/locations/us/apps/desk1"


class Reader:
    """Has every result but those whose id is `gone`."""

    def __init__(self):
        self.names = []

    def read(self, name):
        self.names.append(name)
        if name.endswith("gone"):
            raise NotFound(summary="gone")
        return {"name": name}

    def interrupt(self):
        """Nothing waits."""


def found(*names, demanded=10):
    reader = Reader()
    results = read_results({"evaluationResults": [*names]}, APP, demanded, reader, redact=lambda body: body)
    return results, reader.names


def test_results_are_read_under_our_own_spelling_of_the_app():
    """The service may spell the project by its number."""
    results, _ = found("projects/123/locations/us/apps/desk1/evaluations/e/results/r")
    ((name, _),) = results.bodies
    assert name == f"{APP}/evaluations/e/results/r"
    assert evaluation_of(name) == f"{APP}/evaluations/e"


def test_names_that_are_no_results_of_this_app_are_not_read():
    """Of another app, with a path out of it, or none at all."""
    strange = [
        "projects/acme/locations/us/apps/other/evaluations/e/results/r",
        f"{APP}/evaluations/e/results/..",
        f"{APP}/tools/t",
        "",
    ]
    results, read = found(*strange)
    assert (list(results.foreign), read) == (strange, [])


def test_a_result_that_is_listed_twice_is_read_once_and_told():
    name = f"{APP}/evaluations/e/results/r"
    results, read = found(name, name)
    assert (read, results.foreign, len(results.bodies)) == ([name], (name,), 1)


def test_a_result_that_is_gone_is_told():
    results, _ = found(f"{APP}/evaluations/e/results/gone")
    assert results.gone == (f"{APP}/evaluations/e/results/gone",)


def test_a_list_of_a_million_is_not_read():
    """A hundred more than were demanded, to say what they are."""
    results, read = found(*(f"{APP}/evaluations/e/results/{n}" for n in range(100_000)), demanded=5)
    assert (len(read), results.unread) == (105, 99_895)


def test_no_list_is_no_result():
    reader = Reader()
    for run in ({}, {"evaluationResults": None}, {"evaluationResults": "x"}):
        assert read_results(run, APP, 1, reader, redact=lambda body: body).bodies == ()
