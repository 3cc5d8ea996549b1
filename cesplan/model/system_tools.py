"""
Names that exist in every app without being managed: references may use them, files may not declare them.
"""

from collections.abc import Mapping

SYSTEM_TOOLS = ("customize_response", "end_session", "transfer_to_agent")
"""Tools that the service provides. It may have more: those are referred to as `tools/@<id>`."""

DRAFT = "-"
"""`versions/-` is the draft of an app (API reference of deployments)."""

NEVER_MANAGED: Mapping[str, tuple[str, ...]] = {"tools": SYSTEM_TOOLS, "versions": (DRAFT,)}
"""By collection: what a reference may name although no file does."""
