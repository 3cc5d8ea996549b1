"""Google's operation futures on operations that take their time: they poll, and end as the operation does."""

import pytest
from google.api_core import exceptions
from google.api_core.future.polling import DEFAULT_POLLING

from cesplan.emulator import EmbeddedEmulator, Switches
from tests.conformance.emulator.conftest import LOCATION, library

AT_ONCE = DEFAULT_POLLING.with_delay(initial=0.001, maximum=0.001, multiplier=1).with_timeout(20)


@pytest.fixture(params=["v1", "v1beta"])
def slow(request):
    """The library of each version, at an emulator whose operations are found unfinished three times."""
    with EmbeddedEmulator(switches=Switches(operation_polls=3)) as emulator:
        yield library(emulator, request.param, "")


def create(google):
    return google.agents.create_app(parent=LOCATION, app=google.ces.App(display_name="D"), app_id="desk1")


def test_a_future_polls_until_the_operation_is_done(slow):
    """Three reads bring the app, each through the version that started it; the metadata is there at once."""
    future = create(slow)
    assert future.metadata.create_time is not None
    assert future.result(polling=AT_ONCE).name == f"{LOCATION}/apps/desk1"
    reads = slow.emulator.journal.summary()["requests"][1:]
    assert [read["rpc"] for read in reads] == ["projects.locations.operations.get"] * 3
    assert {read["path"] for read in reads} == {f"/{slow.version}/{future.operation.name}"}


def test_a_future_raises_what_the_operation_ends_with(slow):
    """A late failure arrives as the exception of its code, and nothing was made."""
    slow.emulator.break_with({"method": "CreateApp", "late": {"code": "RESOURCE_EXHAUSTED", "message": "full"}})
    with pytest.raises(exceptions.ResourceExhausted, match="full"):
        create(slow).result(polling=AT_ONCE)
    assert list(slow.agents.list_apps(parent=LOCATION)) == []


def test_a_future_that_is_cancelled_goes_on_to_its_end(slow):
    """Cancelling is best effort by its definition: the work is done, the metadata tells what was asked for."""
    future = create(slow)
    assert future.cancel()
    assert future.result(polling=AT_ONCE).display_name == "D"
    assert future.metadata.requested_cancellation
