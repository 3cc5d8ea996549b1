"""
Names that exist in every app without being managed. References may use them, but files must not declare them.
"""

from collections.abc import Mapping

SYSTEM_TOOLS = ("customize_response", "end_session", "transfer_to_agent")
"""Built-in tools of the service. It may have more; refer to those as `tools/@<id>`."""

DRAFT = "-"
"""`versions/-` is the draft of an app (API reference of deployments)."""

NEVER_MANAGED: Mapping[str, tuple[str, ...]] = {"tools": SYSTEM_TOOLS, "versions": (DRAFT,)}
"""By collection: names that a reference may use although no file declares them."""
