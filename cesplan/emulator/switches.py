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
    # Does every write of a resource get an entry in the change log? Coverage is open. [?]
    change_log: bool = True
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
