"""Evaluations: tests of an app, each a golden conversation or a scenario."""

from typing import Annotated

from cesplan.model.base import Resource
from cesplan.model.marks import (
    AsSet,
    Etag,
    Identifier,
    OneOf,
    OutputOnly,
    Required,
)
from cesplan.model.messages.evaluation_metrics import (
    EvaluationMetricsConfig,
    EvaluationMetricsThresholds,
)
from cesplan.model.messages.golden import Golden
from cesplan.model.messages.scenario import Scenario
from cesplan.model.scalars import Opaque


class Evaluation(Resource):
    """A test of an app: a golden conversation or a scenario."""

    MESSAGE = "Evaluation"

    golden: Annotated[Golden | None, OneOf("inputs")] = None
    """A conversation to replay."""
    scenario: Annotated[Scenario | None, OneOf("inputs")] = None
    """A conversation to simulate."""
    name: Annotated[str | None, Identifier()] = None
    """The resource name. It is derived from the path of the file; do not set it in a file."""
    display_name: Annotated[str | None, Required(refused=True)] = None
    """The display name; unique in the app."""
    description: str | None = None
    """The subject of the test."""
    tags: Annotated[list[str] | None, AsSet()] = None
    """Labels. Order does not matter."""
    evaluation_datasets: Annotated[Opaque, OutputOnly()] = None
    """The datasets that it belongs to; set on the dataset."""
    create_time: Annotated[Opaque, OutputOnly()] = None
    """When it was created."""
    created_by: Annotated[Opaque, OutputOnly()] = None
    """Who created it."""
    update_time: Annotated[Opaque, OutputOnly()] = None
    """When it was last updated."""
    last_updated_by: Annotated[Opaque, OutputOnly()] = None
    """Who last updated it."""
    evaluation_runs: Annotated[Opaque, OutputOnly()] = None
    """The runs that included it."""
    etag: Annotated[str | None, Etag()] = None
    """Changes with every write. cesplan manages it; do not set it in a file."""
    aggregated_metrics: Annotated[Opaque, OutputOnly()] = None
    """Scores over all runs."""
    last_completed_result: Annotated[Opaque, OutputOnly()] = None
    """The newest result."""
    invalid: Annotated[Opaque, OutputOnly()] = None
    """True if it refers to something that no longer exists."""
    last_ten_results: Annotated[Opaque, OutputOnly()] = None
    """The ten newest results, if requested."""
    evaluation_metrics_threshold_override: EvaluationMetricsThresholds | None = None
    """Thresholds for this evaluation. They override those of the app."""
    evaluation_metrics_config_override: EvaluationMetricsConfig | None = None
    """Metrics for this evaluation. They override those of the app."""
