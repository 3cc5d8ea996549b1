"""
The table of codes: every finding about a tree has a code, and a page that explains it.

CES001 to CES039 and CES095 are about files, fields, references, and variables (`structure`), CES040 to CES099
about findings of checks (`checks`), CES101 to CES109 about environment files (`environments`), CES111 to CES119
about the policy (`policy`), CES121 to CES129 about releases (`releases`). A code never gets a second meaning.
Nothing here reads a tree.
"""

from collections.abc import Mapping

from cesplan.config.codes.checks import CHECK_CODES
from cesplan.config.codes.environments import ENVIRONMENT_CODES
from cesplan.config.codes.policy import POLICY_CODES
from cesplan.config.codes.releases import RELEASE_CODES
from cesplan.config.codes.structure import STRUCTURE_CODES
from cesplan.domain.diagnostic import Code

__all__ = ["CODES", "Code"]

CODES: Mapping[str, Code] = {
    code.code: code
    for code in sorted(
        (*STRUCTURE_CODES, *CHECK_CODES, *ENVIRONMENT_CODES, *POLICY_CODES, *RELEASE_CODES),
        key=lambda item: item.code,
    )
}
