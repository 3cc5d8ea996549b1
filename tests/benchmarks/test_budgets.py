"""Budgets that hold on any machine: numbers of requests, and ratios of two things measured side by side."""

import sys
from pathlib import Path

from tests.benchmarks import applying, fleets, installing, planning
from tests.benchmarks.measuring import EXAMPLE, cpu_seconds
from tests.benchmarks.planning import Scene


def test_a_plan_takes_one_request_a_kind_and_page() -> None:
    """
    The list of apps, the change log before and after, and one list of each kind: never one a resource.

    And the app once more: it was listed before the log was read, whose newest entry is its stamp.
    """
    assert planning.requests_of(Scene(size=64)) == 14


def test_a_fleet_takes_a_plans_requests_an_app_and_little_memory() -> None:
    """
    Requests grow with the apps and not with their resources, shards together find what one run finds, and what
    was read of an app is dropped with it.
    """
    with fleets.fleet(12) as (root, running):
        whole = fleets.check(root, running)
        parts = [fleets.check(root, running, "--shard", f"{index}/2") for index in (1, 2)]
    assert len(whole.apps) == 12
    # A page of the log and an entry more for authors; one more if the app was listed a while ago.
    assert all(app["requests"] <= (16 if app["items"] else 13) for app in whole.apps)
    found = sorted((app for part in parts for app in part.apps), key=lambda app: (app["tree"], app["app"]))
    assert [{**app, "requests": 0} for app in found] == [{**app, "requests": 0} for app in whole.apps]
    with fleets.fleet(36) as (root, running):
        large = fleets.check(root, running)
    assert large.megabytes <= 1.25 * whole.megabytes
    assert large.cpu <= 2.75 * whole.cpu


def test_an_install_without_extras_stays_small() -> None:
    """60 MB with cesplan itself, which is a fifth of it; what is large and not for everyone is an extra."""
    found = installing.needed()
    assert found.others <= 47
    large = {
        "cel-expr-python",
        "jinja2",
        "mcp",
        "numpy",
        "pygments",
        "rich",
        "rouge-score",
        "starlette",
        "uvicorn",
    }
    assert not large & {*found.packages}


def test_the_help_starts_in_three_times_the_bare_interpreter() -> None:
    command = str(Path(sys.executable).with_name("cesplan"))
    bare = cpu_seconds([sys.executable, "-c", "pass"], EXAMPLE, runs=9)
    assert cpu_seconds([command, "--help"], EXAMPLE, runs=9) <= 3 * bare


def test_the_version_starts_in_three_times_the_bare_interpreter() -> None:
    """CPU seconds of both, the least of nine runs each."""
    command = str(Path(sys.executable).with_name("cesplan"))
    bare = cpu_seconds([sys.executable, "-c", "pass"], EXAMPLE, runs=9)
    assert cpu_seconds([command, "--version"], EXAMPLE, runs=9) <= 3 * bare


def test_planning_grows_no_faster_than_the_tree() -> None:
    """Five times the resources: the start takes most, so CPU seconds and memory grow by much less than that."""
    small = planning.measure_plan(Scene(size=100), runs=2)
    large = planning.measure_plan(Scene(size=500), runs=2)
    assert large.cpu <= 3.4 * small.cpu
    assert large.megabytes <= 1.75 * small.megabytes


def test_an_apply_is_near_the_least_its_dependencies_allow() -> None:
    """50 ms a request, eight workers: chain × latency + requests ÷ workers × latency, and a quarter."""
    assert applying.measure(latency=0.05, runs=2).ratio <= 1.25
