"""
The emulator's behavior where that of the real service is not verified, or where a test wants
it otherwise. The defaults are the conservative ones: a client that works with them works with either.

Each switch says what it decides, and where that it is open comes from (see the package's docstring).
"""

from dataclasses import dataclass, field
from typing import Any, Literal


def _switch(default: Any, about: str) -> Any:
    """Return a field of `Switches` with a sentence on what it decides, for help and documentation."""
    return field(default=default, metadata={"about": about})


@dataclass(frozen=True, slots=True, kw_only=True)
class Switches:
    """One attribute for each open question."""

    etag_on_update: Literal["enforce", "ignore"] = _switch(
        "enforce", "Does an etag in the body that is not the current one refuse an update? [?]"
    )
    mask_depth: Literal["nested", "top"] = _switch(
        "nested", "May a path of an update mask go below the top level, as the standard says? [?]"
    )
    references: Literal["check", "accept"] = _switch(
        "check", "Must references inside an app lead somewhere? Outward ones never need to. [?]"
    )
    type_change: Literal["accept", "refuse"] = _switch(
        "accept", "May an update put another member into the oneof that is a resource's type? [?]"
    )
    models: tuple[str, ...] | None = _switch(
        None,
        "The ids of the models that exist; without it, any model exists. That they are checked is seen. [S]",
    )
    data_stores: tuple[str, ...] | None = _switch(
        None, "The names of the data stores that exist; without it, any exists. [S]"
    )
    unchanged_version: Literal["refuse", "return_newest", "create"] = _switch(
        "refuse", "What does creating a version answer when nothing changed since the newest one? [?]"
    )
    used_version_delete: Literal["refuse", "accept"] = _switch(
        "refuse", "May a version be deleted that a deployment names? [?]"
    )
    app_version_spelling: Literal["as_sent", "project_number"] = _switch(
        "as_sent", "How is a deployment's appVersion spelled in answers? Both were seen. [S]"
    )
    v1_agent_tool_field: Literal["agent", "rootAgent"] = _switch(
        "agent", "AgentTool's field in answers of v1: discovery says agent, the protos rootAgent. [D]"
    )
    deployment_etags: bool = _switch(
        True, "Do answers carry the etags of deployments? One live deployment came without. [S]"
    )
    check_callbacks: bool = _switch(
        True, "Must callbacks be Python with the function and the parameters of their kind? [S]"
    )
    callback_parameters: Literal["accept", "refuse"] = _switch(
        "accept",
        "May an after-tool callback call its second parameter tool_input, as two of Google's samples do? An"
        " import warns of it. [?]",
    )
    app_needs_model: bool = _switch(
        False, "Does an app need modelSettings.model? Creating one without it may fail. [S]"
    )
    fill_logging_settings: bool = _switch(True, "Is app.loggingSettings filled in when absent? [S]")
    fill_retention_window: bool = _switch(
        True, "Is retentionWindow filled into the logging settings (since 2026-05, see as_of)? [S]"
    )
    fill_data_store_settings: bool = _switch(True, "Is app.dataStoreSettings filled in when absent? [S]")
    fill_prompt_template: bool = _switch(
        True, "Is the default prompt template of a guardrail filled in when absent? [S]"
    )
    fill_python_function_name: bool = _switch(
        True, "Is pythonFunction.name derived from the code when absent? [S]"
    )
    fill_open_api_names: bool = _switch(
        True, "Are openApiTool.name and description taken into it from its one operation when absent? [D][?]"
    )
    default_page_size: int = _switch(
        50, "How many results does a page have by default? Known for deployments only. [?]"
    )
    page_size_cap: int = _switch(1000, "How long can a page be, however many are asked for? [?]")
    filter_fields: Literal["any", "documented"] = _switch(
        "any",
        "What can a filter name where the reference names nothing: any field at the top, or nothing? Google's"
        " cxas filters conversations by start_time. [?]",
    )
    conversations_without_source: Literal["all", "live"] = _switch(
        "all", "What does a list of conversations without a source hold? The reference says both. [?]"
    )
    proto_names: Literal["accept", "refuse"] = _switch(
        "accept", "May bodies and masks use the names of the protos (snake_case), as ProtoJSON allows? [D]"
    )
    required_fields: Literal["resource", "documented"] = _switch(
        "resource",
        "Which required fields does a write need: those of the resource itself, or nested ones too, but for"
        " those that real apps lack? Real apps lack some. [S][?]",
    )
    front_end_errors: Literal["status", "html"] = _switch(
        "status",
        "Are an unknown route and a GET with a body answered as by the API, or in the front end's HTML? [?]",
    )
    referred_code: Literal["FAILED_PRECONDITION", "INVALID_ARGUMENT"] = _switch(
        "FAILED_PRECONDITION", "The code of a delete without force while there are referrers. [?]"
    )
    force_removes: Literal["documented", "all"] = _switch(
        "documented", "Does force remove the references of other referrers than the reference lists, too? [?]"
    )
    deployment_without_mask: Literal["all", "refuse"] = _switch(
        "all", "An update of a deployment without a mask: all fields, as everywhere, or refused? [?]"
    )
    import_dropped_code: Literal["warn", "silent"] = _switch(
        "warn", "Does an import tell of the callbacks and tools that it drops for their code? [?]"
    )
    import_overwrite_ids: Literal["new", "from_file"] = _switch(
        "new", "The ids of what an import with OVERWRITE makes: new ones were seen. [S]"
    )
    as_of: str = _switch(
        "2026-08", "The month whose defaults and exports are imitated: later ones are not imitated. [S]"
    )
    change_log: bool = _switch(True, "Does every write of a resource get an entry in the change log? [?]")
    change_log_kinds: tuple[str, ...] | None = _switch(
        None, "The kinds that the change log covers; without it all. [?]"
    )
    change_log_lag: int = _switch(0, "How many of its newest entries does the change log not show yet? [?]")
    change_log_kept: int = _switch(0, "How many entries are kept in an app's change log? 0: all. [?]")
    allowed_hosts: tuple[str, ...] = _switch(
        (), "Names in the header Host besides loopback ones, such as that of a proxy. Web pages are refused."
    )
    largest_body: int = _switch(
        32, "The largest body of a request in MiB; the files of an archive may take eight times as much."
    )
    served_version: Literal["split", "app_version"] = _switch(
        "split", "Which version has a deployment with both a traffic split and an appVersion? [?]"
    )
    empty_shares: Literal["accept", "refuse"] = _switch(
        "accept", "May a traffic split name a version that gets 0 percent? [?]"
    )
    session_version: Literal["stays", "moves"] = _switch(
        "stays", "Does a session that has begun keep its version when the deployment gets another? [?]"
    )
    mocked_calls: Literal["inner", "all"] = _switch(
        "inner",
        "Does a mockConfig answer only the calls that a tool makes, as the reference says, or the executed one"
        " too? [?]",
    )
    trajectory_inputs: Literal["text", "json"] = _switch(
        "text", "Does evaluateInstances compare the inputs of tool calls as texts, or as JSON? [?]"
    )
    repeated_calls: Literal["used_up", "each"] = _switch(
        "used_up",
        "Does one call of a trajectory account for one equal call of the other, or for each of them? [?]",
    )
    counted_parameters: Literal["reference", "prediction"] = _switch(
        "reference", "Of whose parameters do toolParameterKeyMatch and KvMatch give the share? [?]"
    )
    operation_polls: int = _switch(
        0, "How many answers, the first one included, find an operation unfinished before it is done? [?]"
    )
    locations: tuple[str, ...] = _switch(("us", "eu"), "The locations that exist. [D]")
    unreachable: tuple[str, ...] = _switch(
        (), "What lists of apps say could not be reached; such a list is not whole. [D]"
    )
    project_number: str = _switch(
        "123456789012", "The number of every project; names with it mean the same as names with the id."
    )
    author: str = _switch("emulator@localhost", "The author of writes without the header x-emulator-author.")

    @property
    def largest_archive(self) -> int:
        """Return how many bytes the files of an archive may have, unpacked."""
        return self.largest_body * 8 * 2**20
