"""The write that takes back another one, from what was there before and what the service answered."""

from typing import Any

from cesplan.domain.field_path import mask_path
from cesplan.domain.plan import Action, Purpose, Step, StepId
from cesplan.domain.settings import MaskDepth
from cesplan.domain.value import Body
from cesplan.engine.applying.inverse import Acknowledged, Inverse, inverse_of, made_otherwise, settable
from cesplan.engine.comparing.resource_names import Target
from cesplan.model.kinds import kind_of
from tests.unit.engine.builders import APP, NAMING, PLACE, address, name


def done(
    text: str, action: Action, before: Body | None, answer: Body | None, mask: str = "", **step: Any
) -> Acknowledged:
    kind = kind_of(text.partition("/")[0] or "apps")
    target = Target(
        kind=kind,
        name=name(text),
        parent=PLACE.app(APP) if text else PLACE.name,
        resource_id=address(text).key,
        naming=NAMING,
    )
    paths = tuple(mask_path(path) for path in mask.split(",") if path)
    own = StepId(address=address(text), purpose=Purpose.MAIN)
    return Acknowledged(
        target=target, step=Step(id=own, action=action, mask=paths, **step), before=before, answer=answer
    )


def update(text: str, before: Body, answer: Body, mask: str, depth: MaskDepth = MaskDepth.NESTED) -> Inverse:
    return inverse_of(done(text, Action.UPDATE, before, answer, mask), depth)


def sent(inverse: Inverse) -> tuple[str, str, Body]:
    """The write, its mask and its body."""
    assert inverse.step is not None
    return inverse.step.action.value, ",".join(map(str, inverse.step.mask)), inverse.step.body


def test_a_create_is_taken_back_by_a_delete() -> None:
    made = done("agents/front-desk", Action.CREATE, None, {"displayName": "Front"})
    assert sent(inverse_of(made, MaskDepth.NESTED)) == ("delete", "", {})


def test_an_update_sets_what_was_there_and_clears_what_was_not() -> None:
    inverse = update(
        "agents/front-desk",
        {"displayName": "Front", "instruction": "Old."},
        {"displayName": "Front", "instruction": "New.", "description": "Added."},
        "instruction,description",
    )
    assert sent(inverse) == ("update", "description,instruction", {"instruction": "Old."})


def test_the_old_member_of_a_oneof_is_named() -> None:
    """Naming it is enough: the service drops the other member by itself."""
    inverse = update(
        "tools/lookup",
        {"pythonFunction": {"name": "look", "pythonCode": "x"}},
        {"clientFunction": {"name": "look"}},
        "clientFunction",
    )
    assert sent(inverse) == (
        "update",
        "pythonFunction",
        {"pythonFunction": {"name": "look", "pythonCode": "x"}},
    )


def test_a_field_that_the_server_may_fill_in_is_put_back_too() -> None:
    """A walk leaves it alone when it is absent; here it was absent and this run set it."""
    logging = {"conversationLoggingSettings": {"disableConversationLogging": True}}
    inverse = update(
        "", {"displayName": "Shop"}, {"displayName": "Shop", "loggingSettings": logging}, "loggingSettings"
    )
    assert sent(inverse) == ("update", "loggingSettings", {})


def test_masks_go_no_deeper_than_the_plan_s() -> None:
    before = {"modelSettings": {"model": "m", "temperature": 0.5}}
    answer = {"modelSettings": {"model": "m", "temperature": 0.9}}
    assert sent(update("agents/front-desk", before, answer, "modelSettings.temperature"))[1:] == (
        "modelSettings.temperature",
        {"modelSettings": {"temperature": 0.5}},
    )
    assert sent(update("agents/front-desk", before, answer, "modelSettings", MaskDepth.TOP))[1:] == (
        "modelSettings",
        before,
    )


def test_fields_newer_than_the_models_come_back_as_they_were() -> None:
    inverse = update("agents/front-desk", {"newer": {"a": 1}}, {"newer": {"a": 2}}, "newer")
    assert sent(inverse) == ("update", "newer", {"newer": {"a": 1}})


def test_metadata_come_back_whole() -> None:
    """Keys that this run added are not someone else's."""
    inverse = update(
        "", {"metadata": {"team": "a"}}, {"metadata": {"team": "a", "cesplan-digest": "d"}}, "metadata"
    )
    assert sent(inverse) == ("update", "metadata", {"metadata": {"team": "a"}})


def test_an_update_that_changed_nothing_needs_no_inverse() -> None:
    same = {"displayName": "Front"}
    assert update("agents/front-desk", same, same, "displayName") == Inverse()


def test_a_delete_is_taken_back_by_a_create_of_what_can_be_set() -> None:
    before = {
        "name": name("examples/greeting"),
        "etag": "e1",
        "createTime": "2026-01-01T00:00:00Z",
        "displayName": "Greeting",
        "invalid": True,
        "messages": [{"role": "user", "chunks": [{"toolCall": {"tool": "t", "displayName": "derived"}}]}],
    }
    inverse = inverse_of(done("examples/greeting", Action.DELETE, before, None), MaskDepth.NESTED)
    assert sent(inverse) == (
        "create",
        "",
        {"displayName": "Greeting", "messages": [{"role": "user", "chunks": [{"toolCall": {"tool": "t"}}]}]},
    )


def test_what_never_comes_back_is_said() -> None:
    inverse = inverse_of(
        done("deployments/web-chat", Action.DELETE, {"displayName": "Web"}, None), MaskDepth.NESTED
    )
    assert [text.split("`")[1] for text in inverse.lost] == ["whatsappCredentials", "instagramCredentials"]
    written = done("deployments/web-chat", Action.UPDATE, {}, {}, body={"whatsappCredentials": {}})
    assert inverse_of(written, MaskDepth.NESTED).lost == (
        "`whatsappCredentials` is never returned by the service, so its previous value is unknown",
    )


def test_some_deletes_cannot_be_taken_back() -> None:
    """A version made again would be a snapshot of something else; an app took everything in it along."""
    for text in ("versions/release-1", ""):
        inverse = inverse_of(done(text, Action.DELETE, {"displayName": "x"}, None), MaskDepth.NESTED)
        assert (inverse.step, bool(inverse.impossible)) == (None, True)


def test_what_was_never_seen_cannot_be_put_back() -> None:
    inverse = inverse_of(done("agents/front-desk", Action.UPDATE, None, {}, "displayName"), MaskDepth.NESTED)
    assert inverse == Inverse(impossible="the previous state is unknown")


def test_what_the_service_fills_in_otherwise_is_named() -> None:
    before = {"displayName": "E", "createdBy": "alice", "createTime": "1", "etag": "a"}
    gone = done("evaluations/greeting", Action.DELETE, before, None)
    assert made_otherwise(gone, {**before, "createTime": "2", "etag": "b"}) == ()
    assert made_otherwise(gone, {**before, "createdBy": "bob"}) == (
        "`createdBy`: set by the service, now with a different value",
    )


def test_a_renamed_field_goes_out_under_our_name() -> None:
    """v1 answers `rootAgent` where v1beta and the descriptions say `agent`."""
    spec = kind_of("tools").spec
    assert settable(spec, {"agentTool": {"name": "ask", "rootAgent": "a"}}) == {
        "agentTool": {"name": "ask", "agent": "a"}
    }
