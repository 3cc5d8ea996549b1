"""The bar: nearest wins, and what is not set has its documented default."""

from cesplan.features.evaluation.thresholds import differences, thresholds_in_force, thresholds_of_result

GOLDEN = "goldenEvaluationMetricsThresholds"


def test_what_nobody_sets_has_its_default():
    """Similarity 3, tools 1, extra calls fail, hallucination is not counted."""
    assert thresholds_in_force({}, {"golden": {}}) == {
        "semantic similarity": 3.0,
        "tool calls": 1.0,
        "tool parameters": 1.0,
        "extra tool calls": "FAIL",
        "similarity channel": "TEXT",
        "hallucination": "DISABLED",
    }
    assert thresholds_in_force({}, {"scenario": {}}) == {"hallucination": "DISABLED"}


def test_the_evaluation_wins_over_the_app_one_bar_at_a_time():
    """A zero is a bar too."""
    turn = {"semanticSimilaritySuccessThreshold": 2, "overallToolInvocationCorrectnessThreshold": 0.5}
    app = {"evaluationMetricsThresholds": {GOLDEN: {"turnLevelMetricsThresholds": turn}}}
    over = {GOLDEN: {"turnLevelMetricsThresholds": {"semanticSimilaritySuccessThreshold": 0}}}
    found = thresholds_in_force(app, {"golden": {}, "evaluationMetricsThresholdOverride": over})
    assert (found["semantic similarity"], found["tool calls"]) == (0.0, 0.5)


def test_the_deprecated_name_counts_where_the_new_one_is_unspecified():
    """An unspecified enum value is not set."""
    body = {
        "goldenHallucinationMetricBehavior": "HALLUCINATION_METRIC_BEHAVIOR_UNSPECIFIED",
        "hallucinationMetricBehavior": "ENABLED",
    }
    found = thresholds_of_result({"evaluationMetricsThresholds": body}, is_golden=True)
    assert found["hallucination"] == "ENABLED"


def test_a_float_of_the_wire_is_the_number_that_was_written():
    """0.8 as float32 is no other bar; 0.79 is one."""
    turn = {"overallToolInvocationCorrectnessThreshold": 0.800000011920929}
    found = thresholds_of_result(
        {"evaluationMetricsThresholds": {GOLDEN: {"turnLevelMetricsThresholds": turn}}}, is_golden=True
    )
    assert differences({"tool calls": 0.8}, found) == ()
    assert differences({"tool calls": 0.79}, found) == ("tool calls: 0.8 instead of 0.79",)
