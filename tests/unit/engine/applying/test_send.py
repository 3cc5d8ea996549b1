"""One write, and everything that can come between it and its answer."""

from dataclasses import replace

import pytest

from cesplan.domain.address import KindName, location_address
from cesplan.domain.errors import (
    AlreadyExists,
    Conflict,
    LostResponse,
    NotFound,
    PermissionDenied,
    Unavailable,
)
from cesplan.domain.outcome import Applied, Failed, Unknown
from cesplan.domain.plan import Action, Operation, Plan, Purpose, StepId
from cesplan.domain.value import Body, Secret
from tests.unit.engine.builders import name
from tests.unit.engine.memory_service import MemoryService, unavailable
from tests.unit.engine.plans import create, delete, events, outcomes, plan, stamp, step, the, update, verdicts

DESK = "agents/front-desk"
NAME = name(DESK)


@pytest.fixture
def service() -> MemoryService:
    return MemoryService()


@pytest.fixture
def seen(service: MemoryService) -> Body:
    """The agent as the plan saw it."""
    return service.put(NAME, {"displayName": "Desk", "instruction": "old"})


def rename(seen: Body) -> Operation:
    return update(DESK, seen, {"instruction": "new"}, "instruction")


def applied(made: Plan, service: MemoryService) -> Applied:
    return the(Applied, outcomes(made, service))


def conflict(made: Plan, service: MemoryService) -> Conflict:
    outcome = the(Failed, outcomes(made, service))
    assert isinstance(outcome.error, Conflict)
    assert outcome.writes == 0
    return outcome.error


class TestVerification:
    def test_an_update_is_preceded_by_one_read_and_sends_the_fresh_etag(
        self, service: MemoryService, seen: Body
    ) -> None:
        service.touch(NAME)
        applied(plan(rename(seen)), service)
        assert service.calls == [("get", NAME), ("update", NAME)]
        assert service.sent == [{"instruction": "new", "name": NAME, "etag": "e2"}]

    def test_a_resource_that_moved_is_left_alone(self, service: MemoryService, seen: Body) -> None:
        service.put(NAME, {**seen, "description": "edited"})
        error = conflict(plan(rename(seen)), service)
        assert error.summary == "agents/front-desk changed in description after this plan was made."
        assert service.writes() == []

    def test_a_delete_is_verified_too(self, service: MemoryService, seen: Body) -> None:
        service.put(NAME, {**seen, "description": "edited"})
        conflict(plan(delete(DESK, seen)), service)
        assert service.writes() == []

    def test_what_was_deleted_cannot_be_updated(self, service: MemoryService, seen: Body) -> None:
        del service.resources[NAME]
        error = conflict(plan(rename(seen)), service)
        assert error.summary == "agents/front-desk was deleted after this plan was made."

    def test_what_was_deleted_need_not_be_deleted(self, service: MemoryService, seen: Body) -> None:
        del service.resources[NAME]
        outcome = applied(plan(delete(DESK, seen)), service)
        assert (outcome.writes, outcome.note) == (0, "already gone")
        assert service.writes() == []

    def test_a_create_reads_nothing(self, service: MemoryService) -> None:
        applied(plan(create(DESK)), service)
        assert service.calls == [("create", NAME)]

    def test_what_this_run_just_wrote_is_read_again(self, service: MemoryService) -> None:
        """Between two writes of one resource there may be a wait, in which anyone may edit it."""
        link = step(f"{DESK}:link", Action.UPDATE, {"tools": ["tools/a-tool"]}, "tools", (DESK,))
        outcome = applied(plan(create(DESK, link=link)), service)
        assert service.calls == [("create", NAME), ("get", NAME), ("update", NAME)]
        assert service.sent[1] == {"tools": [name("tools/a-tool")], "name": NAME, "etag": "e1"}
        assert outcome.writes == 2

    def test_what_was_written_before_other_writes_is_read_again(self, service: MemoryService) -> None:
        """Between them someone may have been there, and the etag may not tell."""
        service.enforces_etags = False
        edited = {"displayName": "Shop", "metadata": {"team": "retail"}}
        service.fault("create", name("tools/a-tool"), then=lambda: service.put(name(), edited))
        made = plan(create(""), create("tools/a-tool", after=[""]), stamp(after=["tools/a-tool"]))
        found = outcomes(made, service)
        assert verdicts(found) == {"app": "applied", "tools/a-tool": "applied", "app:stamp": "failed"}
        assert service.resources[name()]["metadata"] == {"team": "retail"}

    def test_without_verification_the_etag_of_the_plan_is_sent(
        self, service: MemoryService, seen: Body
    ) -> None:
        applied(plan(rename(seen), verify=False), service)
        assert service.calls == [("update", NAME)]
        assert service.sent[0]["etag"] == "e1"

    def test_a_failed_read_fails_the_step_and_nothing_is_sent(self, service: MemoryService, seen: Body) -> None:
        service.fault("get", NAME, error=unavailable())
        outcome = the(Failed, outcomes(plan(rename(seen)), service))
        assert isinstance(outcome.error, Unavailable)
        assert service.writes() == []

    def test_a_service_without_etags_is_sent_none(self, service: MemoryService) -> None:
        service.sends_etags = False
        seen = service.put(NAME, {"instruction": "old"})
        applied(plan(rename(seen)), service)
        assert service.sent == [{"instruction": "new", "name": NAME}]


class TestAborted:
    def test_our_own_side_effect_is_adopted_and_the_write_sent_once_more(
        self, service: MemoryService, seen: Body
    ) -> None:
        service.fault("update", NAME, then=lambda: service.touch(NAME))
        outcome = applied(plan(rename(seen)), service)
        assert service.calls == [("get", NAME), ("update", NAME), ("get", NAME), ("update", NAME)]
        assert outcome.writes == 1

    def test_somebody_elses_edit_is_a_conflict_and_stays(self, service: MemoryService, seen: Body) -> None:
        edited = {**seen, "instruction": "theirs"}
        service.fault("update", NAME, then=lambda: service.put(NAME, edited))
        error = conflict(plan(rename(seen)), service)
        assert error.summary == "agents/front-desk changed in instruction after this plan was made."
        assert service.resources[NAME]["instruction"] == "theirs"

    def test_a_second_mismatch_is_a_conflict(self, service: MemoryService, seen: Body) -> None:
        service.fault("update", NAME, then=lambda: service.touch(NAME))
        service.fault("update", NAME, then=lambda: service.touch(NAME))
        conflict(plan(rename(seen)), service)
        assert len(service.writes()) == 2

    def test_a_delete_adopts_too(self, service: MemoryService, seen: Body) -> None:
        service.fault("delete", NAME, then=lambda: service.touch(NAME))
        applied(plan(delete(DESK, seen)), service)
        assert service.resources == {}

    def test_when_the_look_fails_the_conflict_stands(self, service: MemoryService, seen: Body) -> None:
        service.fault("update", NAME, then=lambda: service.touch(NAME))
        service.fault("get", NAME, error=unavailable())
        assert conflict(plan(rename(seen), verify=False), service).summary == "etag mismatch"


class TestLostCreate:
    def test_one_that_took_effect_is_done(self, service: MemoryService) -> None:
        service.fault("create", NAME, lost_after=True)
        outcome = applied(plan(create(DESK, {"displayName": "Desk", "tools": ["tools/a-tool"]})), service)
        assert service.calls == [("create", NAME), ("get", NAME)]
        assert (outcome.writes, outcome.not_converged) == (1, ())

    def test_one_that_did_not_is_sent_again_once(self, service: MemoryService) -> None:
        service.fault("create", NAME, lost_before=True)
        outcome = applied(plan(create(DESK)), service)
        assert service.calls == [("create", NAME), ("get", NAME), ("create", NAME)]
        assert outcome.writes == 1

    def test_one_that_gets_lost_twice_has_failed(self, service: MemoryService) -> None:
        service.fault("create", NAME, lost_before=True)
        service.fault("create", NAME, lost_before=True)
        outcome = the(Failed, outcomes(plan(create(DESK)), service))
        assert isinstance(outcome.error, LostResponse)
        assert service.writes() == [("create", NAME), ("create", NAME)]

    def test_another_resource_under_the_id_is_a_conflict(self, service: MemoryService) -> None:
        service.fault("create", NAME, then=lambda: service.put(NAME, {"displayName": "x"}), lost_before=True)
        error = conflict(plan(create(DESK)), service)
        assert error.summary.startswith("agents/front-desk exists but differs from what was sent")

    def test_one_that_took_effect_late_is_recognized_when_the_id_is_taken(self, service: MemoryService) -> None:
        service.fault("create", NAME, lost_before=True)
        service.fault("create", NAME, then=lambda: service.put(NAME, {"displayName": DESK}))
        outcome = applied(plan(create(DESK)), service)
        assert outcome.writes == 1
        assert service.calls == [("create", NAME), ("get", NAME)] * 2

    def test_an_id_that_is_taken_by_nothing_leaves_it_open(self, service: MemoryService) -> None:
        """As while a long-running create goes on."""
        service.fault("create", NAME, lost_before=True)
        service.fault("create", NAME, error=AlreadyExists(summary="taken"))
        the(Unknown, outcomes(plan(create(DESK)), service))

    def test_when_the_look_fails_nobody_knows(self, service: MemoryService) -> None:
        service.fault("create", NAME, lost_after=True)
        service.fault("get", NAME, error=unavailable())
        outcome = the(Unknown, outcomes(plan(create(DESK)), service))
        assert "Reading it failed too: not now" in outcome.error.detail
        assert outcome.writes == 0

    def test_secrets_count_by_what_they_say(self, service: MemoryService) -> None:
        service.fault("create", NAME, lost_after=True)
        applied(plan(create(DESK, {"displayName": Secret(("name",), "hidden")})), service)
        assert service.resources[NAME]["displayName"] == "hidden"


class TestLostUpdate:
    def test_one_that_took_effect_is_done(self, service: MemoryService, seen: Body) -> None:
        service.fault("update", NAME, lost_after=True)
        assert applied(plan(rename(seen)), service).writes == 1
        assert service.calls == [("get", NAME), ("update", NAME), ("get", NAME)]

    def test_one_that_did_not_is_sent_again(self, service: MemoryService, seen: Body) -> None:
        service.fault("update", NAME, lost_before=True)
        assert applied(plan(rename(seen)), service).writes == 1
        assert service.resources[NAME]["instruction"] == "new"

    def test_an_edit_in_between_is_a_conflict(self, service: MemoryService, seen: Body) -> None:
        edited = {**seen, "instruction": "theirs"}
        service.fault("update", NAME, then=lambda: service.put(NAME, edited), lost_before=True)
        conflict(plan(rename(seen)), service)
        assert service.resources[NAME]["instruction"] == "theirs"

    def test_clearing_is_recognized(self, service: MemoryService, seen: Body) -> None:
        service.fault("update", NAME, lost_after=True)
        applied(plan(update(DESK, seen, {}, "instruction")), service)
        assert service.writes() == [("update", NAME)]

    def test_a_write_that_leaves_no_trace_is_repeated_and_then_unknown(self, service: MemoryService) -> None:
        """Credentials never come back, so nobody can see whether they arrived."""
        place = "deployments/web"
        seen = service.put(name(place), {"displayName": "Web"})
        body = {"whatsappCredentials": {"authCode": Secret(("code",), "c"), "novelty": 1}}
        made = plan(update(place, seen, body, "whatsappCredentials"))
        for _ in range(2):
            service.fault("update", name(place), lost_before=True)
        the(Unknown, outcomes(made, service))
        assert len(service.writes()) == 2

    def test_an_unforeseen_error_on_the_way_counts_as_a_lost_answer(
        self, service: MemoryService, seen: Body
    ) -> None:
        def breaks(answer: Body) -> Body:
            raise ZeroDivisionError

        service.fault("update", NAME, answer=breaks)
        assert applied(plan(rename(seen)), service).writes == 1


class TestLostDelete:
    def test_one_that_took_effect_is_done(self, service: MemoryService, seen: Body) -> None:
        service.fault("delete", NAME, lost_after=True)
        outcome = applied(plan(delete(DESK, seen)), service)
        assert (outcome.writes, outcome.note) == (1, "")

    def test_one_that_did_not_is_sent_again(self, service: MemoryService, seen: Body) -> None:
        service.fault("delete", NAME, lost_before=True)
        assert applied(plan(delete(DESK, seen)), service).writes == 1
        assert service.effects == [("delete", NAME)]

    def test_one_that_took_effect_late_is_ours(self, service: MemoryService, seen: Body) -> None:
        service.fault("delete", NAME, lost_before=True)
        service.fault("delete", NAME, then=lambda: service.resources.pop(NAME))
        outcome = applied(plan(delete(DESK, seen)), service)
        assert (outcome.writes, outcome.note) == (1, "")

    def test_what_was_edited_meanwhile_stays(self, service: MemoryService, seen: Body) -> None:
        edited = {**seen, "instruction": "theirs"}
        service.fault("delete", NAME, then=lambda: service.put(NAME, edited), lost_before=True)
        conflict(plan(delete(DESK, seen)), service)
        assert NAME in service.resources

    def test_one_that_somebody_else_made_first_is_done(self, service: MemoryService, seen: Body) -> None:
        service.fault("delete", NAME, then=lambda: service.resources.pop(NAME))
        outcome = applied(plan(delete(DESK, seen)), service)
        assert (outcome.writes, outcome.note) == (0, "already gone")

    @pytest.mark.parametrize("losses", [0, 1])
    def test_not_found_is_not_believed_of_what_is_still_there(
        self, service: MemoryService, seen: Body, losses: int
    ) -> None:
        """It may be about something else: then the delete has failed, and nobody says that it is done."""
        for _ in range(losses):
            service.fault("delete", NAME, lost_before=True)
        service.fault("delete", NAME, error=NotFound(summary="No.", status="NOT_FOUND"))
        failed = the(Failed, outcomes(plan(delete(DESK, seen)), service))
        assert (failed.error.summary, failed.writes) == ("No.", 0)
        assert NAME in service.resources

    def test_when_the_look_after_a_lost_answer_fails_nobody_knows(
        self, service: MemoryService, seen: Body
    ) -> None:
        service.fault("delete", NAME, lost_before=True)
        service.fault("delete", NAME, error=NotFound(summary="No.", status="NOT_FOUND"))
        service.fault("get", NAME)  # before the first delete
        service.fault("get", NAME)  # after it
        service.fault("get", NAME, error=PermissionDenied(summary="No look.", status="PERMISSION_DENIED"))
        the(Unknown, outcomes(plan(delete(DESK, seen)), service))


class TestOtherAnswers:
    def test_an_id_that_is_taken_is_a_conflict(self, service: MemoryService, seen: Body) -> None:
        error = conflict(plan(create(DESK)), service)
        assert error.summary == "agents/front-desk was created outside cesplan after this plan was made."
        # Looked at twice: is it this id that is taken, and is it as planned anyway?
        assert service.calls == [("create", NAME), ("get", NAME), ("get", NAME)]

    def test_a_refusal_keeps_its_error(self, service: MemoryService, seen: Body) -> None:
        refusal = PermissionDenied(summary="no")
        service.fault("update", NAME, error=refusal)
        assert the(Failed, outcomes(plan(rename(seen)), service)).error is refusal

    def test_a_create_that_is_answered_with_another_resource_has_failed(self, service: MemoryService) -> None:
        other = name("versions/v41")
        service.fault("create", name("versions/v42"), answer=lambda body: {**body, "name": other})
        outcome = the(Failed, outcomes(plan(create("versions/v42")), service))
        summary = "The service did not create versions/v42: it returned versions/v41 instead."
        assert outcome.error.summary == summary

    def test_an_update_without_a_mask_is_never_sent(self, service: MemoryService, seen: Body) -> None:
        the(Failed, outcomes(plan(update(DESK, seen, {}, "")), service))
        assert service.calls == []

    def test_resources_of_a_location_and_apps_have_their_own_names(self, service: MemoryService) -> None:
        place = "projects/acme/locations/us/securitySettings"
        seen = service.put(place, {"endpointControlPolicy": {"enforcementScope": "VPCSC_ONLY"}})
        operation = update("", seen, {}, "endpointControlPolicy")
        made = plan(relocated(operation), create("", {"displayName": "Shop"}))
        assert verdicts(outcomes(made, service)) == {
            "securitySettings/securitySettings": "applied",
            "app": "applied",
        }
        assert service.effects == [("update", place), ("create", name())]


def relocated(operation: Operation) -> Operation:
    """The same update, of the security settings of a location."""
    place = location_address("us", KindName("securitySettings"))
    steps = tuple(replace(s, id=StepId(address=place, purpose=Purpose.MAIN)) for s in operation.steps)
    return replace(operation, address=place, steps=steps)


def test_the_body_of_an_app_is_filled_where_the_place_repeats(service: MemoryService) -> None:
    events(plan(create("scheduledEvaluationRuns/nightly", {"request": {"runCount": 1}})), service)
    assert service.sent == [{"request": {"runCount": 1, "app": name()}}]
