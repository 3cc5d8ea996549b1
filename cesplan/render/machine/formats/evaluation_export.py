"""Evaluations that were written as files of ADK, for machines."""

from collections.abc import Sequence
from typing import Literal, Self

from cesplan.domain.features.adk_export import AdkExport, ExportedCase, TurnLoss
from cesplan.render.documents import opening
from cesplan.render.machine.formats.base import Document, Format


class TurnLossJson(Format):
    """What of a turn the files cannot hold."""

    turn: int
    """The turn, from 1."""
    lost: tuple[str, ...]
    """What is left out."""
    incomparable: dict[str, str]
    """By metric, why the turn says nothing there."""

    @classmethod
    def of(cls, item: TurnLoss) -> Self:
        return cls(turn=item.turn, lost=tuple(item.lost), incomparable=dict(item.incomparable))


class ExportedCaseJson(Format):
    """One evaluation as a case of the eval set."""

    eval_id: str
    """The id of the case."""
    evaluation: str
    """The evaluation: `evaluations/<key>`."""
    kind: Literal["golden", "scenario"]
    """Whether the case has turns, or a plan for a simulated user."""
    lost: tuple[str, ...]
    """What of the evaluation as a whole is left out."""
    turns: tuple[TurnLossJson, ...]
    """The turns of which something is left out."""

    @classmethod
    def of(cls, item: ExportedCase) -> Self:
        return cls(
            eval_id=item.eval_id,
            evaluation=item.reference,
            kind="scenario" if item.is_scenario else "golden",
            lost=tuple(item.lost),
            turns=tuple(map(TurnLossJson.of, item.turns)),
        )


class EvaluationExportReport(Document):
    """`cesplan evaluate --export adk --format json`."""

    app: str
    """The key of the app."""
    source: Literal["tree", "live"]
    """Whether the evaluations are those of the tree, or live ones."""
    files: tuple[str, ...]
    """The files that were written: the eval set, and the test configuration."""
    cases: tuple[ExportedCaseJson, ...]
    """The evaluations."""
    lost: tuple[str, ...]
    """What the test configuration cannot say."""

    @classmethod
    def of(cls, export: AdkExport, files: Sequence[str]) -> Self:
        return cls(
            **opening(),
            app=export.app,
            source="tree" if export.source == "tree" else "live",
            files=tuple(files),
            cases=tuple(map(ExportedCaseJson.of, export.cases)),
            lost=tuple(export.lost),
        )
