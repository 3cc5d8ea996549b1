"""The small reports: files that a command wrote, and explanations of codes."""

from typing import Self

from cesplan.domain.diagnostic import Severity
from cesplan.domain.features.pull import Pulled
from cesplan.domain.plan import Action
from cesplan.render.machine.formats.base import AddressText, Document, Format


class DifferingJson(Format):
    """A resource whose file differs from live."""

    address: AddressText
    """The resource."""
    fields: tuple[str, ...]
    """The fields that differ."""


class PullReport(Document):
    """`cesplan pull --format json`."""

    app: str
    """The key of the app."""
    service: str
    """The service that answered; empty for the default one."""
    folder: str
    """The root of the tree."""
    written: tuple[str, ...]
    """The files that were written."""
    resources: int
    """How many resources were read."""
    equal: int
    """How many of them have a file that already matches."""
    differing: tuple[DifferingJson, ...]
    """Resources whose file differs; the file was not changed."""
    only_in_tree: tuple[AddressText, ...]
    """Resources of the tree that are not live."""
    notices: tuple[str, ...]
    """Notices."""

    @classmethod
    def of(cls, pulled: Pulled) -> Self:
        differing = tuple(DifferingJson(address=item, fields=found) for item, found in pulled.differing)
        return cls.from_value(pulled, folder=str(pulled.root), differing=differing)


class PullAllReport(Document):
    """`cesplan pull --all --format json`."""

    apps: tuple[PullReport, ...]
    """The writes for each app, by its resource name."""


class InitReport(Document):
    """`cesplan init --format json`."""

    folder: str
    """The root of the new tree."""
    files: tuple[str, ...]
    """The files that were written."""


class PipelineReport(Document):
    """`cesplan ci init --format json`."""

    service: str
    """The service that runs the pipeline."""
    files: tuple[str, ...]
    """The files that were written."""
    next: str
    """The next steps, as text."""
    commands: str = ""
    """The commands of these steps, as a script for bash; empty if there are none."""
    asking: tuple[str, ...] = ()
    """Commands that ask for the value of a secret, to be typed one at a time."""


class UnreviewedJson(Format):
    """A change that the reviewed plan does not have."""

    address: AddressText
    """The resource."""
    action: Action
    """The planned action."""


class ComparisonReport(Document):
    """`cesplan ci compare --format json`."""

    changes: int
    """How many changes the plan has."""
    not_reviewed: tuple[UnreviewedJson, ...]
    """The changes that the reviewed plan does not have."""


class ConversionReport(Document):
    """`cesplan convert --format json`, and `cesplan pull --layout export --format json`."""

    target: str
    """The new folder or file."""
    service: str
    """The service that the app was read from; empty for the default one, and for a conversion of files."""
    layout: str
    """The layout that was written."""
    files: int
    """How many files it has."""
    written: tuple[str, ...]
    """The files that are new or changed."""
    left_out: tuple[str, ...]
    """Parts that this layout cannot hold."""
    left_over: tuple[str, ...]
    """Existing files that are not part of this app."""
    variables: tuple[str, ...]
    """The variables created from `environment.json`."""
    notices: tuple[str, ...]
    """Reserved file names, and texts with characters that change the reading order."""


class ListedCodeJson(Format):
    """One code of the list."""

    code: str
    """The code."""
    title: str
    """The meaning, in one line."""
    severity: Severity
    """The severity."""


class CodeListReport(Document):
    """`cesplan explain --format json`: all codes."""

    codes: tuple[ListedCodeJson, ...]
    """The codes, in order."""


class CodeReport(Document):
    """`cesplan explain CODE --format json`, or `cesplan validate --explain CODE --format json`."""

    code: str
    """The code."""
    title: str
    """The meaning, in one line."""
    severity: Severity
    """The severity."""
    silenceable: bool
    """Whether `$silence` turns it off."""
    page: str
    """The explanation, in Markdown."""
