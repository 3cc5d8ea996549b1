"""The context `lazily`, for commands."""

from cesplan.domain.lazily import lazily as lazily
