"""CES evaluations written as ADK files, and what those files cannot represent."""

from collections.abc import Mapping, Sequence
from dataclasses import field

from cesplan.domain.features.evaluation import Thresholds
from cesplan.domain.frozen import dataclass
from cesplan.domain.value import Body


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationToExport:
    """
    `reference` is `evaluations/<key>`, `body` has `golden` or `scenario`, `thresholds` are the effective ones.
    """

    reference: str
    title: str
    body: Body
    thresholds: Thresholds = field(default_factory=dict)

    @property
    def key(self) -> str:
        return self.reference.partition("/")[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnLoss:
    """What is lost from a turn, and by metric why the turn cannot be scored; `turn` counts from 1."""

    turn: int
    lost: Sequence[str] = ()
    incomparable: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedCase:
    """One evaluation as a case. `lost` is what is lost from the evaluation as a whole."""

    eval_id: str
    reference: str
    is_scenario: bool
    turns: Sequence[TurnLoss] = ()
    """The turns that lose something."""
    lost: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AdkExport:
    """The texts of both files. `lost` is what the test configuration cannot express."""

    app: str
    source: str
    """`tree` or `live`."""
    eval_set: str
    config: str
    cases: Sequence[ExportedCase]
    lost: Sequence[str] = ()
