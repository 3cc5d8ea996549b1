"""Judging: who is asked about the criteria that a model decides, and for how many requests."""

from collections.abc import Iterator
from contextlib import contextmanager

from cesplan.domain.resource_name import Place
from cesplan.remote.credentials import default_credentials
from cesplan.remote.other_services.judges import PER_MINUTE, VertexJudge, judges_endpoint
from cesplan.workflow.connecting import GOOGLE, Connection


@contextmanager
def judge_of(
    place: Place, connection: Connection = GOOGLE, *, endpoint: str = "", per_minute: int = PER_MINUTE
) -> Iterator[VertexJudge]:
    """
    The judges of a project and location of Vertex AI, for `judge_turns` and `judged`; closed at the end.

    `endpoint` replaces Google's own address; only one that the user named gets a token. The connection's
    emulator wins over both, and gets none. Raises UsageError, Refused, and NotAuthenticated.
    """
    emulator = connection.emulator
    found = judges_endpoint(place.location, emulator=emulator, chosen=endpoint, confirmed=connection.confirmed)
    judge = VertexJudge(
        place,
        endpoint=found,
        login=None if emulator else default_credentials(connection.impersonate),
        quota_project=connection.quota_project,
        per_minute=0 if emulator else per_minute,
        log=connection.log,
    )
    try:
        yield judge
    finally:
        judge.close()
