"""Finding a run by what the user typed."""

from cesplan.domain.errors import NotFound, UsageError
from cesplan.domain.resource_name import SEGMENT_PATTERN, last_id, parse_name
from cesplan.domain.value import Body
from cesplan.remote.client import Client

_MOST_RUNS = 1000
_RUNS = "evaluationRuns"


def find_run(name: str, app: str, client: Client) -> Body:
    """A run of an app by id, full name or display name. Raises UsageError for none and for several."""
    parts = parse_name(name)
    if parts is not None and parts.kind == _RUNS and parts.app != last_id(app):
        raise UsageError(summary=f"`{name}` is not a run of this app.", detail=f"The app is {app}.")
    run_id = parts.id if parts is not None and parts.kind == _RUNS else name
    if run_id and SEGMENT_PATTERN.fullmatch(run_id):
        try:
            return client.read(f"{app}/{_RUNS}/{run_id}")
        except NotFound:
            pass
    found = [item for item in client.list_runs(app, at_most=_MOST_RUNS) if item.get("displayName") == name]
    if len(found) == 1:
        return client.read(f"{app}/{_RUNS}/{last_id(str(found[0]['name']))}")
    raise UsageError(summary=f"The app has {'more than one' if found else 'no'} evaluation run `{name}`.")


def newest_run_of(version: str, app: str, client: Client) -> Body:
    """The newest completed run of a version, by its id. Raises UsageError if there is none."""
    for item in client.list_runs(app, at_most=_MOST_RUNS):
        if item.get("state") == "COMPLETED" and last_id(str(item.get("appVersion") or "")) == version:
            return client.read(f"{app}/{_RUNS}/{last_id(str(item['name']))}")
    raise UsageError(summary=f"The version `{version}` has no completed evaluation run.")
