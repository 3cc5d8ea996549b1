"""
Calls: requests to the service, independent of HTTP. Paths and query parameters are built here.

These are standard methods (AIP-131 to 135) and some custom ones. Names are full resource names. Source:
docs/api-facts.md.
"""

from collections.abc import Mapping
from dataclasses import field, replace
from enum import StrEnum
from urllib.parse import quote, urlencode

from cesplan.domain.errors import CesplanError
from cesplan.domain.field_path import MaskPath
from cesplan.domain.frozen import dataclass
from cesplan.domain.resource_name import SEGMENT_PATTERN
from cesplan.domain.value import Body
from cesplan.model.kinds import Kind

PAGE_SIZE = 1000
"""The documented maximum for deployments. For other kinds no maximum is documented; they may return less."""


CHANGE_FIELDS = (
    "name", "author", "action", "resource", "resourceType", "displayName", "description", "createTime",
    "sequenceNumber",
)  # fmt: skip
"""The fields of a change log entry that say who did what and when (docs/api-facts.md)."""

RUN_FIELDS = (
    "name", "displayName", "createTime", "state", "appVersion", "evaluationDataset", "evaluations", "progress",
    "initiatedBy",
)  # fmt: skip
"""The fields of an evaluation run that say what was evaluated, with which result (message EvaluationRun)."""


class Verb(StrEnum):
    """The standard methods, spelled as in IAM permissions."""

    LIST = "list"
    GET = "get"
    CREATE = "create"
    UPDATE = "update"
    DELETE = "delete"
    RUN = "run"
    """A custom method with an effect, which each call repeats."""
    ASK = "ask"
    """A custom method that only reads."""


_HTTP_METHODS = {
    Verb.LIST: "GET",
    Verb.GET: "GET",
    Verb.CREATE: "POST",
    Verb.UPDATE: "PATCH",
    Verb.DELETE: "DELETE",
    Verb.RUN: "POST",
    Verb.ASK: "POST",
}

RUN_EVALUATION = "runEvaluation"
RUN_SESSION = "runSession"
EXECUTE_TOOL = "executeTool"
RETRIEVE_TOOLS = "retrieveTools"
RESTORE_VERSION = "restore"
_CUSTOM_WORDS = {
    RUN_EVALUATION: "start an evaluation run of",
    RUN_SESSION: "talk to the agent in",
    EXECUTE_TOOL: "execute a tool of",
    RETRIEVE_TOOLS: "read the tools of",
    RESTORE_VERSION: "restore",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """
    One request.

    `resource` is the resource name. For lists and creates it is that of the parent, and `collection` is the
    collection below it. `custom` is the name of a custom method (AIP-136), empty for a standard one. `kind` is
    None for resources that are not of a kind, such as operations. Secrets in `body` may be plain or wrapped;
    wrapped ones are revealed when they are sent. Raises CesplanError for an invalid resource name.
    """

    verb: Verb
    resource: str
    kind: Kind | None = None
    collection: str = ""
    custom: str = ""
    query: Mapping[str, str] = field(default_factory=dict)
    body: Body | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """Names come from trees, plan files, and responses. An invalid one must not become a path."""
        for part in self.resource.split("/"):
            if not SEGMENT_PATTERN.fullmatch(part):
                raise CesplanError(
                    summary=f"{self.resource[:200]!a} is not a valid resource name. Nothing was sent.",
                    detail=f"{part[:80]!a} cannot be part of a resource name.",
                )

    @property
    def method(self) -> str:
        return _HTTP_METHODS[self.verb]

    @property
    def reads(self) -> bool:
        """True if sending it twice changes nothing."""
        return self.verb in (Verb.GET, Verb.LIST, Verb.ASK)

    @property
    def what(self) -> str:
        """The request in words: `update agents/front-desk`."""
        tail = "/".join(self.resource.split("/")[-2:])
        match self.verb:
            case Verb.LIST:
                return f"list {self.collection} of {tail}"
            case Verb.CREATE:
                chosen = next(iter(self.query.values()), "")
                return f"create {self.collection}/{chosen}".rstrip("/")
            case Verb.RUN | Verb.ASK:
                return f"{_CUSTOM_WORDS[self.custom]} {tail}"
        return f"{self.verb} {tail}"

    def target(self, api_version: str) -> str:
        """The request target: path and query, escaped. No other code builds URLs from texts."""
        parts = [api_version, self.resource, *([self.collection] if self.collection else [])]
        path = "/" + quote("/".join(parts), safe="/:@") + (f":{self.custom}" if self.custom else "")
        return f"{path}?{urlencode(self.query, quote_via=quote, safe='/:,')}" if self.query else path


def get(kind: Kind, name: str) -> Call:
    """Read one resource."""
    return Call(verb=Verb.GET, resource=name, kind=kind)


def get_other(name: str) -> Call:
    """Read what is not of a kind, such as an operation (google.longrunning.Operations.GetOperation)."""
    return Call(verb=Verb.GET, resource=name)


def run_evaluation(app_name: str, body: Body) -> Call:
    """Start an evaluation run. The client cannot set its id, so each call starts another run."""
    return Call(verb=Verb.RUN, resource=app_name, custom=RUN_EVALUATION, body=body)


def run_session(session_name: str, body: Body) -> Call:
    """Get a reply from an agent. Each call is another turn of the session (SessionService.RunSession)."""
    return Call(verb=Verb.RUN, resource=session_name, custom=RUN_SESSION, body=body)


def execute_tool(app_name: str, body: Body) -> Call:
    """Execute a tool; it may have effects (ToolService.ExecuteTool)."""
    return Call(verb=Verb.RUN, resource=app_name, custom=EXECUTE_TOOL, body=body)


def retrieve_tools(toolset_name: str, body: Body) -> Call:
    """Read the tools of a toolset (ToolService.RetrieveTools)."""
    return Call(verb=Verb.ASK, resource=toolset_name, custom=RETRIEVE_TOOLS, body=body)


def restore_version(version_name: str) -> Call:
    """Restore the draft from a version. The response is an operation (AgentService.RestoreAppVersion)."""
    return Call(verb=Verb.RUN, resource=version_name, custom=RESTORE_VERSION, body={})


def list_page(kind: Kind, parent: str, *, page_token: str = "", fields: str = "") -> Call:
    """Read one page of a collection. `fields` is the standard parameter for partial responses."""
    call = _list(parent, kind.name, PAGE_SIZE, orderBy="name", pageToken=page_token, fields=fields)
    return replace(call, kind=kind)


def list_changes(app_name: str, *, page_token: str = "", condition: str, size: int) -> Call:
    """Read one page of an app's change log, newest first, without the copies of resources in it."""
    fields = f"nextPageToken,changelogs({','.join(CHANGE_FIELDS)})"
    newest = "create_time desc"
    return _list(
        app_name, "changelogs", size, orderBy=newest, filter=condition, pageToken=page_token, fields=fields
    )


def list_runs(app_name: str, *, page_token: str, size: int) -> Call:
    """Read one page of an app's evaluation runs, newest first, without the results of single evaluations."""
    fields = f"nextPageToken,evaluationRuns({','.join(RUN_FIELDS)})"
    newest = "create_time desc"
    return _list(app_name, "evaluationRuns", size, orderBy=newest, pageToken=page_token, fields=fields)


def list_conversations(app_name: str, *, page_token: str, size: int, condition: str) -> Call:
    """Read one page of an app's conversations. `condition` is a filter, empty for none."""
    return _list(app_name, "conversations", size, filter=condition, pageToken=page_token)


def _list(parent: str, collection: str, size: int, **query: str) -> Call:
    """Read one page. Empty parameters are not sent."""
    parameters = {"pageSize": str(size), **{name: value for name, value in query.items() if value}}
    return Call(verb=Verb.LIST, resource=parent, collection=collection, query=parameters)


def create(kind: Kind, parent: str, resource_id: str, body: Body) -> Call:
    """Create a resource. With an empty id, the server chooses. Raises ValueError if a kind has no create."""
    if not kind.id_parameter:
        raise ValueError(f"{kind.name} cannot be created")
    query = {kind.id_parameter: resource_id} if resource_id else {}
    return Call(verb=Verb.CREATE, resource=parent, kind=kind, collection=kind.name, query=query, body=body)


def update(kind: Kind, name: str, body: Body, mask: tuple[MaskPath, ...]) -> Call:
    """
    Update the fields of the mask. The body is sent with the resource name in it.

    Raises ValueError for an empty mask, which the service would read as "all fields", and for a kind that has
    no update.
    """
    if not mask or not all(path.fields for path in mask):
        raise ValueError(f"an update of {name} needs a mask: without one every field would be updated")
    if not kind.updatable:
        raise ValueError(f"{kind.name} cannot be updated")
    query = {"updateMask": ",".join(map(str, mask))}
    return Call(verb=Verb.UPDATE, resource=name, kind=kind, query=query, body={**body, "name": name})


def with_etag(call: Call, etag: str) -> Call:
    """The same update or delete with another etag. An empty one is not sent."""
    if call.verb is Verb.DELETE:
        rest = {name: value for name, value in call.query.items() if name != "etag"}
        return replace(call, query={**({"etag": etag} if etag else {}), **rest})
    body = {name: value for name, value in (call.body or {}).items() if name != "etag"}
    return replace(call, body={**body, **({"etag": etag} if etag else {})})


def delete(kind: Kind, name: str, etag: str, force: bool) -> Call:
    """
    Delete a resource. An empty etag is not sent. Raises ValueError if the kind has no delete, or no force.
    """
    if not kind.deletable or (force and not kind.forceable):
        raise ValueError(f"{kind.name} cannot be deleted{' by force' if force else ''}")
    query = ({"etag": etag} if etag else {}) | ({"force": "true"} if force else {})
    return Call(verb=Verb.DELETE, resource=name, kind=kind, query=query)
