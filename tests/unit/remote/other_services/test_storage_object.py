"""An object of Cloud Storage is replaced only where it is what was read."""

import pytest

from cesplan.domain.errors import ApiError, PermissionDenied, Unavailable, UsageError
from cesplan.features.drift.alarm.receivers import keeper_of, parse_state
from cesplan.remote.other_services.storage_object import (
    STORAGE,
    GenerationMoved,
    StorageObject,
    parse_object_name,
    storage_endpoint,
)
from tests.alarm.servers import Bucket, bucket
from tests.unit.remote.conftest import Hourglass


class Login:
    def headers(self) -> dict[str, str]:
        return {"Authorization": "Bearer t0ken"}


def stored(held: Bucket, name: str = "gs://acme-state/drift.json", login: Login | None = None) -> StorageObject:
    return StorageObject(
        parse_object_name(name),
        endpoint=storage_endpoint(held.host),
        login=login,
        quota_project="acme-billing",
        clock=Hourglass().clock,
    )


def test_what_is_written_is_read_with_its_generation() -> None:
    with bucket() as held:
        state = stored(held)
        assert state.read() == (None, "0")
        first = state.write("one ü", "0")
        assert state.read() == ("one ü", first)
        second = state.write("two", first)
        assert state.read() == ("two", second)
    assert first != second


def test_a_name_with_folders_and_odd_signs_is_one_object() -> None:
    with bucket() as held:
        stored(held, "gs://acme-state/a b/ü&x=1.json").write("one", "0")
        assert list(held.objects) == ["acme-state/a b/ü&x=1.json"]


@pytest.mark.parametrize("generation", ["0", "17"])
def test_a_write_over_another_one_is_refused(generation: str) -> None:
    with bucket() as held:
        stored(held).write("one", "0")
        with pytest.raises(GenerationMoved):
            stored(held).write("two", generation)
        assert held.objects["acme-state/drift.json"][0] == b"one"


def test_a_write_whose_answer_was_lost_is_found_by_reading() -> None:
    """The retry meets the precondition that the write itself broke."""
    with bucket() as held:
        held.lose = 1
        state = stored(held)
        generation = state.write("one", "0")
        assert state.read() == ("one", generation)
        assert held.uploads == 1


def test_what_may_pass_is_tried_again() -> None:
    with bucket() as held:
        held.answers = [503, 429]
        assert stored(held).read() == (None, "0")
        held.answers = [500]
        stored(held).write("one", "0")
        assert held.objects["acme-state/drift.json"][0] == b"one"


def test_a_service_that_stays_away_is_an_error() -> None:
    with bucket() as held:
        host = held.host
    held = Bucket(host=host)
    with pytest.raises(Unavailable, match=r"Could not read gs://acme-state/drift\.json: it cannot be reached"):
        stored(held).read()


def test_a_missing_permission_names_the_role() -> None:
    with bucket() as held:
        held.answers = [403]
        with pytest.raises(PermissionDenied) as caught:
            stored(held).read()
    assert caught.value.exit_code == 6
    assert "roles/storage.objectUser" in caught.value.detail


def test_a_bucket_that_does_not_exist_is_found_by_writing() -> None:
    with bucket() as held:
        held.answers = [404]
        with pytest.raises(ApiError, match="Cloud Storage answered 404"):
            stored(held).write("one", "0")


def test_the_token_goes_along_to_cloud_storage_alone() -> None:
    """An emulator gets none: it is named by a variable that anything may have set."""
    with bucket() as held:
        stored(held, login=Login()).read()
        keeper = keeper_of(
            parse_state("gs://acme-state/drift.json"), login=None, clock=Hourglass().clock, emulator=held.host
        )
        keeper.read()
        assert held.tokens == ["Bearer t0ken", ""]
    assert storage_endpoint("") == STORAGE


@pytest.mark.parametrize("host", ["storage.evil.example", "http://10.0.0.1:9000", "127.0.0.1:1/path"])
def test_an_emulator_elsewhere_is_refused(host: str) -> None:
    with pytest.raises(ValueError):
        storage_endpoint(host)


@pytest.mark.parametrize(
    "text", ["gs://", "gs://b/x", "gs://acme", "gs://acme/", "gs://Acme/x", "gs://a/../b\n"]
)
def test_a_text_that_names_no_object_is_wrong_usage(text: str) -> None:
    with pytest.raises(UsageError):
        parse_state(text)
