"""`python -m tests.benchmarks`: measures everything and prints a table in Markdown."""

import argparse
import os
import platform
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks import applying, planning, serving
from tests.benchmarks.growing import bodies
from tests.benchmarks.measuring import EXAMPLE, cpu_seconds

LATENCY = 0.05
Row = tuple[str, str, str, bool | None]


def main() -> int:
    """Print the table; 1 where a budget was missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--runs", type=int, default=5, help="how often each is measured; the best run counts")
    parser.add_argument("--sizes", default="100,1000,10000,50000", help="resources of the trees to plan")
    chosen = parser.parse_args()
    print(f"{_machine()}\n\n| what | measured | budget | |\n|---|---|---|---|", flush=True)
    missed = False
    for what, measured, budget, kept in rows(chosen.runs, [int(text) for text in chosen.sizes.split(",")]):
        missed = missed or kept is False
        mark = {None: "", True: "kept", False: "**missed**"}[kept]
        print(f"| {what} | {measured} | {budget} | {mark} |", flush=True)
    return int(missed)


def rows(runs: int, sizes: list[int]) -> Iterator[Row]:
    yield from _starting(runs)
    yield from _planning(runs, sizes)
    yield from _applying(runs)
    yield from _serving(runs)


def _starting(runs: int) -> Iterator[Row]:
    bare = cpu_seconds([sys.executable, "-c", "pass"], EXAMPLE, runs=3 * runs)
    command = str(Path(sys.executable).with_name("cesplan"))
    version = cpu_seconds([command, "--version"], EXAMPLE, runs=3 * runs)
    ratio = version / bare
    told = f"{version * 1000:.0f} ms, {ratio:.1f} × the bare interpreter's {bare * 1000:.0f} ms"
    yield "`cesplan --version`", told, "3 ×", ratio <= 3
    validate = cpu_seconds([command, "validate"], EXAMPLE, runs=2 * runs)
    yield "`cesplan validate` of `examples/support-desk`", f"{validate:.2f} s", "0.35 s", validate <= 0.35


def _planning(runs: int, sizes: list[int]) -> Iterator[Row]:
    before: tuple[int, planning.Measured] | None = None
    for size in sizes:
        found = planning.measure(size, runs=max(1, min(runs, 50_000 // size)))
        own = found.read + found.plan
        told = f"{own:.2f} s and {found.megabytes:.0f} MB; reading the files {found.load:.2f} s more"
        kept = own <= 3 and found.megabytes <= 400 if size == 10_000 else None
        budget = "3 s, 400 MB" if size == 10_000 else ""
        yield f"plan of {size:,} resources, {found.changes} changes", told, budget, kept
        pages = sum(-(-count // 1000) - 1 for count in _counts(size) if count)
        least = 11 + pages
        yield (
            f"requests for it ({pages} further pages)",
            f"{found.requests}",
            f"{least}",
            found.requests <= least,
        )
        if before is not None:
            yield from _growth(before, (size, found))
        before = (size, found)


def _counts(size: int) -> list[int]:
    kinds = [kind for kind, _, _ in bodies(size)]
    return [kinds.count(kind) for kind in sorted(set(kinds))]


def _growth(before: tuple[int, planning.Measured], now: tuple[int, planning.Measured]) -> Iterator[Row]:
    times = now[0] / before[0]
    cpu = now[1].cpu / before[1].cpu
    told = f"{cpu:.1f} × the time, {now[1].megabytes / before[1].megabytes:.1f} × the memory"
    yield f"growth from {before[0]:,} to {now[0]:,} ({times:.0f} ×)", told, "linear", cpu <= 1.25 * times


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
