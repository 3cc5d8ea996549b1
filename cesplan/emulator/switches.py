"""
What the emulator does where the real service's behaviour is not established, or where a test wants
it otherwise. The defaults are the conservative ones: a client that works with them works with either.
"""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Switches:
    """
    Each attribute names one open question; the comment gives the source (see the package).
    """

    # Does a body etag that is not the current one refuse an update? [?]
    etag_on_update: Literal["enforce", "ignore"] = "enforce"
    # May a path of a mask go below the top level? The standard says yes; others only send top. [?]
    mask_depth: Literal["nested", "top"] = "nested"
    # Must references between resources of CES lead somewhere? Outward ones never need to. [?]
    references: Literal["check", "accept"] = "check"
    # May an update put another member into the oneof that is a resource's type? [?]
    type_change: Literal["accept", "refuse"] = "accept"
    # The model ids and data stores that exist; None: any. That they are checked is [S].
    models: tuple[str, ...] | None = None
    data_stores: tuple[str, ...] | None = None
    # What a create of a version answers when nothing changed since the newest one. [?]
    unchanged_version: Literal["refuse", "return_newest", "create"] = "refuse"
    # May a version be deleted that a deployment names? [?]
    used_version_delete: Literal["refuse", "accept"] = "refuse"
    # The spelling of a deployment's appVersion in answers: as sent, or with the project number. [S]
    app_version_spelling: Literal["as_sent", "project_number"] = "as_sent"
    # The name of AgentTool's field in answers of v1: discovery says agent, the protos rootAgent.
    v1_agent_tool_field: Literal["agent", "rootAgent"] = "agent"
    # Do answers carry deployment etags? One live deployment came back without. [S]
    deployment_etags: bool = True
    # Must callbacks parse and have the right name and parameters? [S]
    check_callbacks: bool = True
    # Does creating an app need modelSettings.model? "May fail" without. [S]
    app_needs_model: bool = False
    # Values filled in when absent (FACTS §3). [S]
    fill_logging_settings: bool = True
    fill_retention_window: bool = True
    fill_data_store_settings: bool = True
    fill_prompt_template: bool = True
    fill_python_function_name: bool = True
    # Page sizes: the cap may be smaller than what was asked for. [D] for deployments, else [?]
    default_page_size: int = 50
    page_size_cap: int = 1000
    # Which fields can a filter name where the reference names none: none, or any at the top? [?]
    filter_fields: Literal["documented", "any"] = "documented"
    # A list of conversations without a source: the reference says LIVE and says all. [?]
    conversations_without_source: Literal["all", "live"] = "all"
    # May bodies use the names of the protos (snake_case), as ProtoJSON allows? [D], rarely wanted.
    proto_names: Literal["refuse", "accept"] = "refuse"
    # What an unknown route and a GET with a body are answered with: the front end in front of all
    # of Google's services writes HTML. [?]
    front_end_errors: Literal["status", "html"] = "status"
    # The code of a delete without force while there are referrers. [?]
    referred_code: Literal["FAILED_PRECONDITION", "INVALID_ARGUMENT"] = "FAILED_PRECONDITION"
    # Does force remove the references of referrers that the reference does not list, too? [?]
    force_removes: Literal["documented", "all"] = "documented"
    # An update of a deployment without a mask: all fields, as everywhere, or refused? [?]
    deployment_without_mask: Literal["all", "refuse"] = "all"
    # Does an import tell of callbacks and tools that it drops for their code? [?]
    import_dropped_code: Literal["warn", "silent"] = "warn"
    # The ids of what an import with OVERWRITE makes: new ones were seen. [S]
    import_overwrite_ids: Literal["new", "from_file"] = "new"
    # The month whose defaults and exports are imitated: later ones are left out (FACTS §3, §4, §6).
    as_of: str = "2026-08"
    # Does every write of a resource get an entry in the change log? Coverage is open. [?]
    change_log: bool = True
    # Which kinds the change log covers; None: all. How many of its newest entries lists do not show
    # yet, and how many entries are kept in an app (0: all). [?]
    change_log_kinds: tuple[str, ...] | None = None
    change_log_lag: int = 0
    change_log_kept: int = 0
    # How many times an operation is read as not done before it is done.
    operation_polls: int = 0
    # Locations that exist. [D]
    locations: tuple[str, ...] = ("us", "eu")
    # What lists of apps say could not be reached; such a list is not whole. [D]
    unreachable: tuple[str, ...] = ()
    # The number of every project, for the one spelling above.
    project_number: str = "123456789012"
    # The author of writes that do not name one (header x-emulator-author).
    author: str = "emulator@localhost"
