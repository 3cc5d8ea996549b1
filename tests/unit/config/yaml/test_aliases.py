"""What aliases refer to, as ranges of the text."""

from cesplan.config.yaml.aliases import aliased_ranges


def test_only_what_an_alias_repeats() -> None:
    """Scalars and collections with their anchors; nested ranges are one, unused anchors none."""
    assert aliased_ranges("a: &x one\nb: &y two\nc: *x\n") == (((0, 3), (0, 9)),)
    nested = "a: &x {k: &y v}\nb: *x\nc: *y\nd: &z [1]\ne: *z\n"
    assert aliased_ranges(nested) == (((0, 3), (0, 15)), ((3, 3), (3, 9)))
    assert aliased_ranges("a: &x one\nb: 2 * 3\n") == ()


def test_of_what_cannot_be_read_everything_counts() -> None:
    """A finding in such a file is not repaired."""
    ((first, last),) = aliased_ranges("a: &x [1\nb: *x\n")
    assert first == (0, 0)
    assert last.line > 1_000_000
