"""`python -m tests.benchmarks`: measures everything and prints a table in Markdown."""

import argparse
import os
import platform
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from cesplan.config.cache.switch import OFF
from tests.benchmarks import applying, fleets, installing, peers, planning, serving
from tests.benchmarks.measuring import CESPLAN, EXAMPLE, Used, measured
from tests.benchmarks.planning import Scene

LATENCY = 0.05
NOISE = 1.1
"""What a machine with other work may add to a ratio."""
Row = tuple[str, str, str, bool | None]
_Grown = tuple[Scene, Mapping[str, Used]]
"""A scene, and what each command used in it."""


def main() -> int:
    """Print the table; 1 where a budget was missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--runs", type=int, default=5, help="how often each is measured; the best run counts")
    parser.add_argument("--sizes", default="100,1000,10000", help="resources of the trees to plan")
    chosen = parser.parse_args()
    os.environ[OFF] = "1"  # what is measured with a cache has one of its own
    print(f"{_machine()}\n\n| what | measured | budget | |\n|---|---|---|---|", flush=True)
    missed = False
    for what, told, budget, kept in rows(chosen.runs, [int(text) for text in chosen.sizes.split(",")]):
        missed = missed or kept is False
        mark = {None: "", True: "kept", False: "**missed**"}[kept]
        print(f"| {what} | {told} | {budget} | {mark} |", flush=True)
    return int(missed)


def rows(runs: int, sizes: list[int]) -> Iterator[Row]:
    yield _installing()
    yield from _starting(runs)
    yield from _planning(runs, sizes)
    yield from _applying(runs)
    yield from _waiting()
    yield from _serving(runs)
    yield from _checking()


def _checking() -> Iterator[Row]:
    """A fleet and one four times as large: nothing grows by the app; shards find what one run finds."""
    small, large = (fleets.measure(size) for size in (50, 200))
    for name, budget in (("whole", 14.0), ("quick", 2.0)):
        one, four = getattr(small, name), getattr(large, name)
        requests = four.requests / 200
        what = f"drift of 200 apps of 50 resources, {name}"
        told = f"{requests:.1f} requests an app, {four.cpu:.1f} s, {four.megabytes:.0f} MB"
        yield what, told, f"{budget:.0f} requests an app", requests <= budget
        cpu, memory = four.cpu / one.cpu, four.megabytes / one.megabytes
        yield (
            f"{what}: growth from 50 apps",
            f"{cpu:.1f} × the CPU, {memory:.1f} × the memory",
            "4 ×",
            cpu <= 4 * NOISE,
        )
    cpu = sum(part.cpu for part in large.shards) / large.whole.cpu
    told = f"{cpu:.1f} × the CPU of one run; together {'the same' if large.is_whole else 'another'} report"
    yield "the same in 8 shards", told, "the same report", large.is_whole


def _installing() -> Row:
    found = installing.whole()
    told = f"{found.megabytes:.0f} MB: cesplan {found.own:.0f} MB, and {len(found.packages)} packages"
    return "install without extras", told, "60 MB", found.megabytes <= 60


def _starting(runs: int) -> Iterator[Row]:
    commands = {
        "bare": [sys.executable, "-c", "pass"],
        "--version": [CESPLAN, "--version"],
        "--help": [CESPLAN, "--help"],
        "validate": [CESPLAN, "validate"],
    }
    found = measured(commands, os.environ, runs=2 * runs, folder=EXAMPLE)
    bare = found.pop("bare").cpu
    for (name, used), budget in zip(found.items(), (2, 3, 12), strict=True):
        what = f"`cesplan {name}`" if name != "validate" else "`cesplan validate` of `examples/support-desk`"
        ratio = used.cpu / bare
        told = f"{ratio:.1f} × the bare interpreter's {bare * 1000:.0f} ms"
        yield what, told, f"{budget} ×", ratio <= budget * NOISE


def _planning(runs: int, sizes: list[int]) -> Iterator[Row]:
    """Whole processes; the least program, the plan and `--out` take turns."""
    before: _Grown | None = None
    for size in sizes:
        few = max(2, min(runs, 5000 // size))
        scene = Scene(size=size)
        found = planning.measure(scene, runs=few, out=True)
        yield from _against_the_least(scene, found)
        if before is not None:
            yield _growth(before, (scene, found))
        before = (scene, found)
    size = sorted(sizes)[len(sizes) // 2]
    one = planning.measure(Scene(size=size), runs=2)["plan"]
    for scene in (
        Scene(size=size, apps=max(2, size // 8)),
        Scene(size=size, edited_every=100),
        Scene(size=size, first=True),
        Scene(size=size, realistic=False),
    ):
        used = planning.measure(scene, runs=2)["plan"]
        yield scene.title, f"{_told(used)}; {used.cpu / one.cpu:.1f} × the same without", "", None
    for scene in (Scene(size=64), Scene(size=64 * 8, apps=8)):
        requests, budget = planning.requests_of(scene), 14 * scene.apps
        yield f"requests: {scene.title}", str(requests), f"{budget}", requests <= budget
    yield from _octodns(min(runs, 2), size, one)


def _against_the_least(scene: Scene, found: Mapping[str, Used]) -> Iterator[Row]:
    own, least = found["plan"], found[planning.LEAST]
    cpu, memory = own.cpu / least.cpu, own.megabytes / least.megabytes
    told = f"{cpu:.1f} × the CPU and {memory:.1f} × the memory of the least program: {_told(own)}"
    judged = scene.size >= 1000
    yield scene.title, told, "2 ×" if judged else "", max(cpu, memory) <= 2 * NOISE if judged else None
    warm, filling = found[planning.WARM], found[planning.FILLING]
    cpu, memory = warm.cpu / least.cpu, warm.megabytes / least.megabytes
    told = f"{cpu:.1f} × the CPU and {memory:.1f} × the memory of the least program: {_told(warm)}"
    yield f"{scene.title}, warm cache", told, "1 ×" if judged else "", cpu <= NOISE if judged else None
    yield f"{scene.title}, filling the cache", f"{filling.cpu / own.cpu:.2f} × the plan without", "", None
    yield f"{scene.title}, `--out`", f"{found['--out'].cpu / own.cpu:.2f} × the plan alone", "", None


def _growth(before: _Grown, now: _Grown) -> Row:
    """
    The least program is linear by its making, and has the same caches of the machine: its growth is the measure
    where it is more than the tree's.
    """
    times = now[0].size / before[0].size
    own, least = (now[1][name].cpu / before[1][name].cpu for name in ("plan", planning.LEAST))
    memory = now[1]["plan"].megabytes / before[1]["plan"].megabytes
    what = f"growth from {before[0].size:,} to {now[0].size:,} resources ({times:.0f} ×)"
    told = f"{own:.1f} × the CPU (the least program {least:.1f} ×), {memory:.1f} × the memory"
    return what, told, "linear", own <= max(times, least) * NOISE


def _octodns(runs: int, size: int, own: Used) -> Iterator[Row]:
    """The same number of TXT records of 4 KB from files against files: no service, no checks of content."""
    used = peers.octodns(size, runs=runs)
    told = "not installed" if used is None else f"{_told(used)}; {used.cpu / own.cpu:.1f} × a plan of cesplan"
    yield f"octoDNS, {size:,} TXT records of 4 KB, no change", told, "", None


def _told(used: Used) -> str:
    return f"{used.cpu:.2f} s, {used.megabytes:.0f} MB"


def _waiting() -> Iterator[Row]:
    seconds, least, writes = applying.under_quota()
    told = f"{seconds:.1f} s, {seconds / least:.2f} × what the quota allows"
    yield (
        f"apply of {writes} updates from the tree under the usual quota",
        told,
        "1.1 ×",
        seconds <= 1.1 * least,
    )


def _applying(runs: int) -> Iterator[Row]:
    found = applying.measure(latency=LATENCY, runs=min(runs, 3))
    told = f"{found.seconds:.2f} s, {found.ratio:.2f} × the bound of {found.bound:.2f} s"
    size = f"{found.requests} requests, chain of {found.chain}"
    what = f"apply of the example, {LATENCY * 1000:.0f} ms a request ({size})"
    yield what, told, "1.25 ×", found.ratio <= 1.25


def _serving(runs: int) -> Iterator[Row]:
    rate = serving.gets_per_second(runs=min(runs, 3))
    yield "emulator, GET on one core", f"{rate:,.0f} requests/s", "500 requests/s", rate >= 500


def _machine() -> str:
    model = next(
        (line.partition(":")[2].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")),
        "",
    )
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{python} on {platform.system()}, {os.cpu_count()} cores{f' ({model})' if model else ''}."


def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text().splitlines()
    except OSError:
        return []


if __name__ == "__main__":
    sys.exit(main())
