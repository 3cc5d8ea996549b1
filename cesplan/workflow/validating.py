"""Validating: a tree is read and checked, and nothing is asked of anybody."""

from collections.abc import Mapping
from pathlib import Path

from cesplan.config.loading import Loaded, load
from cesplan.domain.desired import Desired
from cesplan.domain.errors import InvalidConfiguration


def validate(root: Path, *, environment: str = "", variables: Mapping[str, str] | None = None) -> Loaded:
    """
    Read and check the tree around a folder, in one environment (empty: the top of cesplan.yaml).

    `variables` win over those of the file and of `CESPLAN_VAR_…`. What is wrong is in `diagnostics`.
    """
    return load(root, environment=environment, variables=variables or {})


def desired_of(loaded: Loaded) -> Desired:
    """The desired state. Raises InvalidConfiguration, with all diagnostics, where there is none."""
    if loaded.desired is None:
        raise InvalidConfiguration(diagnostics=loaded.diagnostics)
    return loaded.desired
