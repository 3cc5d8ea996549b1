"""Templates: data next to this module, with placeholders `@@name@@`, and the writing of the filled texts."""

import os
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from string import Template

from cesplan.config.writing.saving import save
from cesplan.domain.errors import UsageError


class _Places(Template):
    """`@@name@@`: the services' own languages are full of `$` and braces."""

    delimiter = "@@"
    pattern = r"@@(?:(?P<named>[a-z_]+)@@|(?P<escaped>\b\B)|(?P<braced>\b\B)|(?P<invalid>))"  # type: ignore[assignment]


def filled(folder: str, name: str, values: Mapping[str, str]) -> str:
    """The text of a template in a folder of this package."""
    path = files("cesplan.features.pipelines").joinpath(*filter(None, folder.split("/")), f"{name}.txt")
    return _Places(path.read_text(encoding="utf-8")).substitute(values)


def write_texts(root: Path, texts: Mapping[Path, str], *, force: bool = False) -> None:
    """Write new files below a folder; with `force`, replace existing ones. Raises UsageError."""
    existing = [f"    {root / path}" for path in sorted(texts) if os.path.lexists(root / path)]
    if existing and not force:
        raise UsageError(
            summary="Nothing was written: a pipeline already exists.",
            detail="Move it away, then copy your own changes back:\n\n" + "\n".join(existing),
        )
    save(root, {path.as_posix(): text for path, text in texts.items()})
