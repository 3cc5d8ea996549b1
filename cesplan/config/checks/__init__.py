"""
The offline checks: what the service would refuse, silently drop, or accept and never use.

A check is a function from one app to findings. Each has a file, and a code with a page in
`cesplan.config.codes`. Checks in OF_ONE_FILE look at one resource file at a time and nothing else, so they skip
files in which they found nothing before. The other checks ask for the `facts` of such files. Checks see bodies
in which references, variables, and files are already resolved. They never raise, never stop at the first
finding, and do not handle diagnostics, severities, or silencing. Their own values are NamedTuples, which take a
third of the time of a dataclass to define, because startup has a time budget.
"""

from dataclasses import replace

from cesplan.config.cache.pack import Pack
from cesplan.config.checks.agent_tree import check_child_circles, check_transfer_rules
from cesplan.config.checks.callbacks import check_callbacks
from cesplan.config.checks.conflict_markers import check_conflict_markers
from cesplan.config.checks.content_filters import check_content_filters
from cesplan.config.checks.display_names import check_display_names
from cesplan.config.checks.facts import keep_sound, share_facts, without_sound
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
from cesplan.config.manifest import AppTree, Check, Finding

__all__ = ["CHECKS", "OF_ONE_FILE", "findings_in", "forget", "remember"]

OF_ONE_FILE: tuple[Check, ...] = (
    check_python_syntax,
    check_callbacks,
    check_python_tools,
    check_tool_fakes,
    check_transfer_conditions,
    check_open_api_documents,
    check_content_filters,
    check_limits,
    check_traffic,
    check_schedules,
    check_schemas,
    check_secret_fields,
    check_ignored_fields,
    check_transfer_rules,
    check_refused_tools,
    check_draft_deployments,
    check_language_models,
    check_ignored_elements,
)
"""
What they find in a resource file depends on that file alone, and on the location of the app.

Not here: a check that reports something in the first of several files only.
"""

CHECKS: tuple[Check, ...] = (
    *OF_ONE_FILE,
    check_conflict_markers,
    check_toolset_tools,
    check_time_zones,
    check_languages,
    check_declared_once,
    check_named_variables,
    check_personas,
    check_root_agent,
    check_use,
    check_child_circles,
    check_display_names,
    check_instructions,
    check_letter_case,
    check_version_files,
)
"""All checks. The order has no effect."""

_READERS = (parse, read_open_api)


def findings_in(tree: AppTree, pack: Pack) -> list[Finding]:
    """What all checks find in an app. `pack` has what is known of its files and texts, and gets what is new."""
    remember(pack)
    unknown = without_sound(tree.resources)
    rest = replace(tree, resources=unknown)
    found: list[Finding] = []
    unsound: set[int] = set()
    for check in CHECKS:
        if check in OF_ONE_FILE:
            own = check(rest)
            unsound.update(id(item.file) for item in own)
            found += own
        else:
            found += check(tree)
    keep_sound(file for file in unknown if id(file) not in unsound)
    return found


def remember(pack: Pack) -> None:
    """From now on, parse each text and walk each file only once, and use what the pack knows about texts."""
    share_walks(shared=True)
    share_facts(pack)
    for reader in _READERS:
        reader.pack = pack


def forget() -> None:
    """Forget everything that was read for the checks."""
    share_walks(shared=False)
    share_facts(None)
    for reader in _READERS:
        reader.forget()
