"""Requests that the emulator answers a second, of one core's time."""

import urllib3

from tests.benchmarks.growing import APP, live
from tests.benchmarks.measuring import server

_SOME = 200


def gets_per_second(*, runs: int) -> float:
    """GETs of agents, by the server's own CPU time, so that what the client costs does not count."""
    with server() as running:
        running.seed([*live(_SOME)])
        pool = urllib3.PoolManager()
        url = f"http://{running.address}/v1beta/{APP}/agents/agents-00000"
        best = 0.0
        for _ in range(runs):
            before = running.cpu()
            for _ in range(10 * _SOME):
                assert pool.request("GET", url).status == 200
            best = max(best, 10 * _SOME / (running.cpu() - before))
        return best
