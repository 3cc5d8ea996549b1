"""What a slip of the hand could do to a live app needs a word from someone first."""

from dataclasses import replace
from typing import Any

from cesplan.domain.live import Live
from cesplan.domain.options import Allowances
from cesplan.domain.plan import Operation, Plan
from cesplan.domain.settings import Deletes
from cesplan.engine.planning.guard import guard
from tests.unit.engine.builders import live
from tests.unit.engine.plans import create, delete, lock, plan, stamp, update


def app(**counts: int) -> Live:
    """A live app with so many resources of each kind, `agents/agents-1` and on."""
    return live({text: {} for text in keys(**counts)})


def keys(**counts: int) -> list[str]:
    return [f"{kind}/{kind}-{number}" for kind, count in counts.items() for number in range(1, count + 1)]


def deleting(*texts: str, protect: tuple[str, ...] = (), more: tuple[Operation, ...] = ()) -> Plan:
    made = plan(*(delete(text, {}) for text in texts), *more)
    return replace(made, settings=replace(made.settings, protect=protect))


def refused(made: Plan, state: Live, **allowed: Any) -> tuple[str, ...]:
    return guard(made, state, Allowances(**allowed))


class TestMass:
    def test_three_deletes_of_a_kind_pass(self) -> None:
        assert refused(deleting(*keys(tools=3)), app(tools=4)) == ()

    def test_more_than_three_and_than_thirty_percent_do_not(self) -> None:
        (reason,) = refused(deleting(*keys(tools=4)), app(tools=13))
        assert reason == (
            "shop-desk: 4 of 13 tools would be deleted (more than 3 and than 30%): shop-desk/tools/tools-1, "
            "shop-desk/tools/tools-2, shop-desk/tools/tools-3, shop-desk/tools/tools-4; "
            "allow it with --allow-mass-delete"
        )

    def test_thirty_percent_of_many_pass(self) -> None:
        assert refused(deleting(*keys(tools=6)), app(tools=20)) == ()
        assert len(refused(deleting(*keys(tools=7)), app(tools=20))) == 1

    def test_kinds_are_counted_apart(self) -> None:
        assert refused(deleting(*keys(tools=3, agents=3)), app(tools=4, agents=4)) == ()

    def test_a_kind_that_is_emptied_does_not_pass_however_small(self) -> None:
        (reason,) = refused(deleting("tools/tools-1"), app(tools=1, agents=1))
        assert reason == (
            "shop-desk: 1 of 1 tools would be deleted (that is all of them): shop-desk/tools/tools-1; "
            "allow it with --allow-mass-delete"
        )

    def test_a_kind_that_gets_something_new_is_not_emptied(self) -> None:
        made = deleting("tools/tools-1", more=(create("tools/new-one"),))
        assert refused(made, app(tools=1, agents=1)) == ()

    def test_the_flag_allows_it(self) -> None:
        assert refused(deleting(*keys(tools=9)), app(tools=10), mass_delete=True) == ()

    def test_what_is_allowed_by_name_does_not_count(self) -> None:
        named = frozenset({"shop-desk/tools/tools-1"})
        assert refused(deleting(*keys(tools=4)), app(tools=5), delete=named) == ()

    def test_many_names_are_cut_short(self) -> None:
        (reason,) = refused(deleting(*keys(tools=12)), app(tools=13))
        assert "tools-10, and 2 more;" in reason


class TestEmptyApp:
    def test_a_tree_without_anything_over_a_live_app_is_refused(self) -> None:
        (reason,) = refused(deleting(*keys(tools=1, agents=1)), app(tools=1, agents=1), mass_delete=True)
        assert reason == (
            "shop-desk: the tree has no resources for this app, and all 2 of its live resources would be "
            "deleted; allow it with --allow-empty"
        )

    def test_the_flag_allows_it(self) -> None:
        made = deleting(*keys(tools=1, agents=1))
        assert refused(made, app(tools=1, agents=1), mass_delete=True, empty=True) == ()

    def test_what_is_never_pruned_does_not_keep_an_app_from_being_empty(self) -> None:
        state = live({"tools/tools-1": {}, "tools/end-session": {"systemTool": {"name": "end_session"}}})
        (reason,) = refused(deleting("tools/tools-1"), state)
        assert reason.endswith("--allow-empty")

    def test_an_app_that_keeps_something_is_not_empty(self) -> None:
        assert refused(deleting(*keys(tools=1)), app(tools=2)) == ()


class TestProtection:
    def test_patterns_of_the_environment_hold_without_the_file(self) -> None:
        made = deleting("tools/tools-1", protect=("shop-desk/tools/*",))
        (reason,) = refused(made, app(tools=2), delete=frozenset({"shop-desk/tools/tools-1"}))
        assert reason == (
            "shop-desk/tools/tools-1 would be deleted, but `protect` in cesplan.yaml lists "
            "`shop-desk/tools/*`: remove that line first"
        )

    def test_patterns_are_those_of_target(self) -> None:
        for pattern, holds in {
            "*/tools/*-1": True,
            "shop-desk/tools/tools-1": True,
            "shop-desk/*": True,
            "shop-desk/tools": True,
            "tools/tools-1": True,
            "tools": True,
            "agents/*": False,
            "shop-desk": False,
            "shop-desk/tools/tools": False,
            "shop-desk/tools/tools.1": False,
        }.items():
            reasons = refused(deleting("tools/tools-1", protect=(pattern,)), app(tools=2))
            assert bool(reasons) is holds, pattern

    def test_protection_in_the_file_holds(self) -> None:
        made = plan(replace(delete("tools/tools-1", {}), notes=("protected",)))
        (reason,) = refused(made, app(tools=2))
        assert reason == (
            "shop-desk/tools/tools-1 would be deleted, but its file says `$protect: true`: "
            "remove that line first"
        )

    def test_updates_are_not_protected(self) -> None:
        made = plan(update("tools/tools-1", {}, {"executionType": "SYNCHRONOUS"}, "executionType"))
        made = replace(made, settings=replace(made.settings, protect=("*/*/*",)))
        assert refused(made, app(tools=2)) == ()


class TestGuardedKinds:
    def test_a_deployment_is_deleted_by_name_only(self) -> None:
        made = deleting("deployments/deployments-1")
        (reason,) = refused(made, app(deployments=2))
        assert reason == (
            "shop-desk/deployments/deployments-1 would be deleted, but a deployment is only deleted by name: "
            "allow it with --allow-delete shop-desk/deployments/deployments-1"
        )
        named = frozenset({"shop-desk/deployments/deployments-1"})
        assert refused(made, app(deployments=2), delete=named) == ()

    def test_so_is_everything_where_the_settings_say_so(self) -> None:
        """Each by its own name; a flag for masses does not stand for names."""
        made = deleting("tools/tools-1", "tools/tools-2")
        made = replace(made, settings=replace(made.settings, deletes=Deletes.REFUSE))
        first, second = (f"shop-desk/tools/tools-{number}" for number in (1, 2))
        why = "would be deleted, but cesplan.yaml says `deletes: refuse`: allow it with --allow-delete"
        assert refused(made, app(tools=9), mass_delete=True) == (
            f"{first} {why} {first}",
            f"{second} {why} {second}",
        )
        assert refused(made, app(tools=9), delete=frozenset({first})) == (f"{second} {why} {second}",)
        assert refused(made, app(tools=9), delete=frozenset({first, second})) == ()

    def test_so_is_an_app(self) -> None:
        (reason,) = refused(deleting(""), app(tools=1))
        assert reason.endswith("an app is only deleted by name: allow it with --allow-delete shop-desk")


class TestLock:
    LOCKED = live({}, {"displayName": "Shop", "locked": True})

    def test_a_locked_app_needs_a_word(self) -> None:
        seen = {"etag": "1", "locked": True}
        made = plan(lock(seen, after=["tools/a-tool"]), create("tools/a-tool"), create("tools/b-tool"))
        (reason,) = refused(made, self.LOCKED)
        assert reason == (
            "shop-desk is locked, and the plan writes 2 resources in it: "
            "use --allow-unlock to unlock it and lock it again afterwards"
        )
        assert refused(made, self.LOCKED, unlock=True) == ()

    def test_a_locked_app_that_is_left_alone_is_no_reason(self) -> None:
        assert refused(plan(), self.LOCKED) == ()

    def test_an_open_app_is_no_reason(self) -> None:
        assert refused(plan(create("tools/a-tool"), stamp()), app(tools=1)) == ()


def test_reasons_come_in_one_order() -> None:
    state = live({"tools/tools-1": {}, "deployments/web": {}}, {"displayName": "Shop", "locked": True})
    reasons = refused(deleting("tools/tools-1", "deployments/web", protect=("*/*/*",)), state)
    assert list(reasons) == sorted(reasons)
    assert len(reasons) == 7


def test_an_app_that_does_not_exist_yet_has_nothing_to_guard() -> None:
    assert refused(plan(create("", {"displayName": "Shop", "locked": True})), Live()) == ()
