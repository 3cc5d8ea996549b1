"""Ranges that aliases repeat, in texts that cannot be read."""

import pytest

from cesplan.config.yaml.aliases import aliased_ranges
from cesplan.config.yaml.nodes import At


@pytest.mark.parametrize("text", ["&a *a \0", "a: &b [\nc: *b", "\ufffe&*", "&*\x7f", "*a &a: {"])
def test_in_a_text_that_cannot_be_read_everything_counts(text: str) -> None:
    """Characters that YAML refuses, too: a finding in such a file has a place like any other."""
    ((first, last),) = aliased_ranges(text)
    assert first == At(0, 0) < last
