"""
The emulator's behavior where the real service is unverified, or where a test needs something else. The defaults
are conservative: a client that works with them also works with the alternatives.

Each switch says what it decides, and the source of the open question (see the package's docstring).
"""

from dataclasses import dataclass, field
from typing import Any, Literal


def _switch(default: Any, about: str) -> Any:
    """Return a field of `Switches` with its description for help and documentation."""
    return field(default=default, metadata={"about": about})


@dataclass(frozen=True, slots=True, kw_only=True)
class Switches:
    """One attribute for each open question."""

    etag_on_update: Literal["enforce", "ignore"] = _switch(
        "enforce", "Is an update refused if the etag in its body is not the current one? [?]"
    )
    mask_depth: Literal["nested", "top"] = _switch(
        "nested", "Can an update mask contain paths below the top level, as AIP-161 says? [?]"
    )
    references: Literal["check", "accept"] = _switch(
        "check", "Must references inside an app exist? References to things outside it never have to. [?]"
    )
    type_change: Literal["accept", "refuse"] = _switch(
        "accept", "Can an update change a resource's type (set another member of the type oneof)? [?]"
    )
    models: tuple[str, ...] | None = _switch(
        None,
        "The ids of the existing models; unset, any model exists. The service was seen to check them. [S]",
    )
    data_stores: tuple[str, ...] | None = _switch(
        None, "The names of the existing data stores; unset, any exists. [S]"
    )
    unchanged_version: Literal["refuse", "return_newest", "create"] = _switch(
        "refuse", "What happens when a version is created and nothing changed since the newest one? [?]"
    )
    used_version_delete: Literal["refuse", "accept"] = _switch(
        "refuse", "Can a version be deleted while a deployment names it? [?]"
    )
    app_version_spelling: Literal["as_sent", "project_number"] = _switch(
        "as_sent", "How do responses spell a deployment's appVersion? Both were seen. [S]"
    )
    v1_agent_tool_field: Literal["agent", "rootAgent"] = _switch(
        "agent", "The field of AgentTool in v1 responses: discovery says agent, the protos rootAgent. [D]"
    )
    deployment_etags: bool = _switch(
        True, "Do responses contain the etags of deployments? One live deployment had none. [S]"
    )
    check_callbacks: bool = _switch(
        True, "Must callbacks be Python that defines the function with the parameters of their kind? [S]"
    )
    callback_parameters: Literal["accept", "refuse"] = _switch(
        "accept",
        "Can the second parameter of an after-tool callback be called tool_input, as in two of Google's"
        " samples? An import warns about it. [?]",
    )
    app_needs_model: bool = _switch(
        False, "Does an app need modelSettings.model? Creating one without it may fail. [S]"
    )
    fill_logging_settings: bool = _switch(True, "Is app.loggingSettings filled in if absent? [S]")
    fill_retention_window: bool = _switch(
        True, "Is retentionWindow filled in in the logging settings (since 2026-05, see as_of)? [S]"
    )
    fill_data_store_settings: bool = _switch(True, "Is app.dataStoreSettings filled in if absent? [S]")
    fill_prompt_template: bool = _switch(
        True, "Is the default prompt template of a guardrail filled in if absent? [S]"
    )
    fill_python_function_name: bool = _switch(
        True, "Is pythonFunction.name derived from the code if absent? [S]"
    )
    fill_open_api_names: bool = _switch(
        True, "Are openApiTool.name and description taken from its only operation if absent? [D][?]"
    )
    default_page_size: int = _switch(
        50, "How many results does a page have by default? Known for deployments only. [?]"
    )
    page_size_cap: int = _switch(
        1000, "How many results can a page have at most, whatever pageSize asks for? [?]"
    )
    filter_fields: Literal["any", "documented"] = _switch(
        "any",
        "Which fields can a filter use if the reference names none: any top-level field, or none? Google's"
        " cxas filters conversations by start_time. [?]",
    )
    conversations_without_source: Literal["all", "live"] = _switch(
        "all", "Which conversations does a list without a source return? The reference says both. [?]"
    )
    proto_names: Literal["accept", "refuse"] = _switch(
        "accept",
        "Can bodies and masks use the field names of the protos (snake_case), as ProtoJSON allows? [D]",
    )
    required_fields: Literal["resource", "documented"] = _switch(
        "resource",
        "Which required fields must a write have: only those of the resource itself, or nested ones too,"
        " except those that real apps lack? [S][?]",
    )
    front_end_errors: Literal["status", "html"] = _switch(
        "status",
        "Does an unknown route, or a GET with a body, get an API error or the front end's HTML? [?]",
    )
    referred_code: Literal["FAILED_PRECONDITION", "INVALID_ARGUMENT"] = _switch(
        "FAILED_PRECONDITION",
        "The error code of a delete without force while other resources refer to the target. [?]",
    )
    force_removes: Literal["documented", "all"] = _switch(
        "documented", "Does force also remove references from kinds that the reference does not list? [?]"
    )
    deployment_without_mask: Literal["all", "refuse"] = _switch(
        "all",
        "An update of a deployment without a mask: are all fields updated, as for other kinds, or is it"
        " refused? [?]",
    )
    import_dropped_code: Literal["warn", "silent"] = _switch(
        "warn", "Does an import warn about the callbacks and tools that it drops because of their code? [?]"
    )
    import_overwrite_ids: Literal["new", "from_file"] = _switch(
        "new", "Which ids does an import with OVERWRITE give? New ones were seen. [S]"
    )
    as_of: str = _switch(
        "2026-08", "The month whose defaults and exports are imitated; later changes are not. [S]"
    )
    change_log: bool = _switch(True, "Does every write of a resource get an entry in the change log? [?]")
    change_log_kinds: tuple[str, ...] | None = _switch(
        None, "The kinds that the change log covers; unset, all. [?]"
    )
    change_log_lag: int = _switch(0, "How many of the newest entries does the change log not show yet? [?]")
    change_log_kept: int = _switch(0, "How many entries does an app's change log keep? 0: all. [?]")
    allowed_hosts: tuple[str, ...] = _switch(
        (),
        "Names allowed in the Host header besides loopback ones, such as that of a proxy. Web pages are"
        " refused.",
    )
    largest_body: int = _switch(
        32, "The largest request body in MiB; the unpacked files of an archive can have eight times as much."
    )
    served_version: Literal["split", "app_version"] = _switch(
        "split", "Which version does a deployment with both a traffic split and an appVersion serve? [?]"
    )
    empty_shares: Literal["accept", "refuse"] = _switch(
        "accept", "Can a traffic split contain a version with 0 percent? [?]"
    )
    session_version: Literal["stays", "moves"] = _switch(
        "stays", "Does a running session keep its version when its deployment gets another? [?]"
    )
    mocked_calls: Literal["inner", "all"] = _switch(
        "inner",
        "Does a mockConfig answer only the calls that a tool makes, as the reference says, or also the"
        " executed tool itself? [?]",
    )
    trajectory_inputs: Literal["text", "json"] = _switch(
        "text", "Does evaluateInstances compare the inputs of tool calls as text or as JSON? [?]"
    )
    repeated_calls: Literal["used_up", "each"] = _switch(
        "used_up",
        "Does one call of a trajectory match only one equal call of the other, or every equal call? [?]",
    )
    counted_parameters: Literal["reference", "prediction"] = _switch(
        "reference",
        "Do toolParameterKeyMatch and KvMatch give the share of the parameters of the reference, or of the"
        " prediction? [?]",
    )
    operation_polls: int = _switch(
        0, "How many responses, including the first, show an operation as unfinished before it is done? [?]"
    )
    locations: tuple[str, ...] = _switch(("us", "eu"), "The existing locations. [D]")
    unreachable: tuple[str, ...] = _switch(
        (), "Locations that lists of apps report as unreachable; such lists are incomplete. [D]"
    )
    project_number: str = _switch(
        "123456789012", "The number of every project; names with the number mean the same as names with the id."
    )
    author: str = _switch("emulator@localhost", "The author of writes without the header x-emulator-author.")

    @property
    def largest_archive(self) -> int:
        """Return the maximum total size of an archive's files in bytes, uncompressed."""
        return self.largest_body * 8 * 2**20
