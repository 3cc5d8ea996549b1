"""Checksums: a plan is applied only if it is the one that a person reviewed."""

import re

from cesplan.domain.errors import StalePlan, UsageError
from cesplan.domain.plan import Plan
from cesplan.render.machine.digests import plan_digest

_PREFIX = "sha256:"
_CHECKSUM = re.compile(r"(?:sha256:)?[0-9a-f]{64}")


def parse_checksum(text: str) -> str:
    """The normalized form of a checksum that a person typed. Raises UsageError if it cannot be a checksum."""
    if not _CHECKSUM.fullmatch(text.strip()):
        raise UsageError(
            summary=f"`{text}` is not the checksum of a plan.",
            detail="To print one:\n\n    cesplan plan --checksum",
        )
    return f"{_PREFIX}{text.strip().removeprefix(_PREFIX)}"


def check_checksum(plan: Plan, expected: str) -> None:
    """Raises StalePlan, with both checksums, if a plan is not the expected one."""
    found = plan_digest(plan)
    if expected.removeprefix(_PREFIX) != found.removeprefix(_PREFIX):
        raise StalePlan(
            summary="Nothing was written: the plan does not have the expected checksum.",
            detail=f"Expected  {expected}\nThis plan {found}\nThe tree or live changed; review the new plan.",
        )
