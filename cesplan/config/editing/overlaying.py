"""
Overlaying: reading a tree as if some of its files already had their new texts.

So an edit can be verified before anything is written.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from cesplan.config.editing.slots import TextEdit
from cesplan.config.editing.variable_texts import carry, pieces
from cesplan.config.files import BOM, LARGEST_FILE, Files, read_regular
from cesplan.config.manifest import ResourceFile
from cesplan.config.project.project import read_project
from cesplan.config.project.variables import MISSING, as_text
from cesplan.config.report import Report
from cesplan.config.resource.read import Reading, read_resource
from cesplan.config.resource.references import Keys
from cesplan.config.writing.texts import fits_file
from cesplan.domain.address import Address
from cesplan.domain.value import Secret


@dataclass(slots=True)
class _OverlaidFiles(Files):
    """Files, some with other content than on disk."""

    over: Mapping[str, str] = field(default_factory=dict)

    def data(self, path: str) -> bytes:
        if path in self.over:
            return self.over[path].encode("utf-8")
        return Files.data(self, path)


class Overlay:
    """Reads resources of one tree in one environment, from edited texts."""

    def __init__(
        self,
        root: Path,
        keys: Keys,
        *,
        environment: str = "",
        variables: Mapping[str, str] | None = None,
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        self.environment = environment
        self._root = root
        self._keys = keys
        files = Files(root, Report())
        self._project = read_project(files, environment, variables or {}, environ)

    def read(
        self, address: Address, path: str, over: Mapping[str, str], *, is_part: bool = False
    ) -> ResourceFile | None:
        """A resource, or a part of one, as it would be read; None if there would be an error."""
        if self._project is None:
            return None
        report = Report()
        files = _OverlaidFiles(self._root, report, over=over)
        reading = Reading(files=files, report=report, project=self._project, keys=self._keys, is_part=is_part)
        found = read_resource(address, path, reading)
        return None if report.has_errors else found

    @property
    def others(self) -> tuple[str, ...]:
        """The other environments of the tree, sorted."""
        return tuple(
            sorted((self._project.environments if self._project else frozenset()) - {self.environment})
        )

    def text(self, path: str) -> str:
        """The text of a file, without a byte order mark."""
        return (self.current(path) or "").removeprefix(BOM)

    def current(self, path: str) -> str | None:
        """The text of a file with its line endings; None if there is no file."""
        try:
            return read_regular(self._root / path, LARGEST_FILE).decode("utf-8")
        except (OSError, UnicodeDecodeError):
            return None

    def names_in(self, folder: str) -> frozenset[str]:
        """The names of all files in a folder."""
        try:
            return frozenset(os.listdir(self._root / folder))
        except OSError:
            return frozenset()

    def variable(self, name: str) -> str | None:
        """The value of a variable for a text; None if it has none, or is secret."""
        value = self._project.variables.get(name) if self._project else MISSING
        if value is MISSING or value is None or isinstance(value, Secret | list | dict):
            return None
        return as_text(value)

    def edited_text(self, path: str, edit: TextEdit) -> str | None:
        """The new content of a text file, with its last line break unchanged."""
        before = self.current(path) or ""
        ending = "\r\n" if before.endswith("\r\n") else "\n" if before.endswith("\n") else ""
        value = edit.value
        if edit.expand:
            old = pieces(before.removesuffix(ending) if ending else before, self.variable)
            carried = carry(old, value) if old is not None else None
            if carried is None:
                return None
            value = carried
        if not ending and (value.endswith("\n") or not fits_file(value)):
            ending = "\n"
        return value + ending
