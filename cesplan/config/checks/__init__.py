"""
The offline checks: what the service would refuse, drop without a word, or take and never use.

A check is a function from one app to findings; each has a file, and a code with a page in
`cesplan.config.codes`. Checks see bodies in which references, variables and files are already followed. They
never raise, never stop at the first finding, and do not handle diagnostics, severities or silencing. Their
own values are NamedTuples, which take a third of the time of a dataclass to define: start-up has a budget.
"""

from cesplan.config.cache.pack import Pack
from cesplan.config.checks.agent_tree import check_child_circles, check_transfer_rules
from cesplan.config.checks.callbacks import check_callbacks
from cesplan.config.checks.conflict_markers import check_conflict_markers
from cesplan.config.checks.content_filters import check_content_filters
from cesplan.config.checks.display_names import check_display_names
from cesplan.config.checks.graph import check_root_agent, check_use
from cesplan.config.checks.ignored_elements import check_ignored_elements
from cesplan.config.checks.ignored_fields import check_ignored_fields
from cesplan.config.checks.instructions import check_instructions
from cesplan.config.checks.language_models import check_language_models
from cesplan.config.checks.languages import check_languages
from cesplan.config.checks.letter_case import check_letter_case
from cesplan.config.checks.limits import check_limits
from cesplan.config.checks.open_api_documents import check_open_api_documents
from cesplan.config.checks.open_api_reading import read_open_api
from cesplan.config.checks.personas import check_personas
from cesplan.config.checks.python_code import parse
from cesplan.config.checks.python_syntax import check_python_syntax
from cesplan.config.checks.python_tools import check_python_tools
from cesplan.config.checks.refused_resources import check_draft_deployments, check_refused_tools
from cesplan.config.checks.schedules import check_schedules
from cesplan.config.checks.schemas import check_schemas
from cesplan.config.checks.secret_fields import check_secret_fields
from cesplan.config.checks.time_zones import check_time_zones
from cesplan.config.checks.tool_fakes import check_tool_fakes
from cesplan.config.checks.toolset_tools import check_toolset_tools
from cesplan.config.checks.traffic import check_traffic
from cesplan.config.checks.transfer_conditions import check_transfer_conditions
from cesplan.config.checks.variables import check_declared_once, check_named_variables
from cesplan.config.checks.version_files import check_version_files
from cesplan.config.checks.walking import share_walks
from cesplan.config.manifest import Check

__all__ = ["CHECKS", "forget", "remember"]

CHECKS: tuple[Check, ...] = (
    check_conflict_markers,
    check_python_syntax,
    check_callbacks,
    check_python_tools,
    check_tool_fakes,
    check_transfer_conditions,
    check_open_api_documents,
    check_toolset_tools,
    check_content_filters,
    check_limits,
    check_traffic,
    check_schedules,
    check_time_zones,
    check_languages,
    check_schemas,
    check_secret_fields,
    check_declared_once,
    check_named_variables,
    check_ignored_fields,
    check_personas,
    check_root_agent,
    check_use,
    check_child_circles,
    check_transfer_rules,
    check_display_names,
    check_instructions,
    check_refused_tools,
    check_draft_deployments,
    check_letter_case,
    check_language_models,
    check_version_files,
    check_ignored_elements,
)
"""Every check, in the order of their codes; the order means nothing."""


_READERS = (parse, read_open_api)


def remember(pack: Pack) -> None:
    """From here on, read each text and walk each file once, and take from a pack what it knows of texts."""
    share_walks(shared=True)
    for reader in _READERS:
        reader.pack = pack


def forget() -> None:
    """Let go of all that was read for the checks."""
    share_walks(shared=False)
    for reader in _READERS:
        reader.forget()
