"""What the parts of a release file say together: numbers that exclude each other, parts that need another."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from cesplan.config.report import FileReport
from cesplan.config.yaml.nodes import Mapping, Node, Sequence
from cesplan.domain.features.scores import TRAJECTORY
from cesplan.features.releases.files.file_shape import RUBRIC_BASED

_MOST_DAYS = 90


def check_coherence(document: dict[str, Any], root: Mapping, report: FileReport) -> bool:
    """Whether the parts of a file fit together; reports why not."""
    problems = [
        *_suites(document, root),
        *_scores(document, root),
        *_judges(document, root),
        *_canary(document, root),
        *_rest(document, root),
    ]
    for problem in problems:
        report.problem(*problem)
    return not problems


def at(root: Node, *path: str | int) -> Node:
    """The node at a path, or the nearest one around it."""
    node = root
    for part in path:
        inner: Node | None = None
        if isinstance(node, Mapping) and isinstance(part, str):
            inner = node.get(part)
        elif isinstance(node, Sequence) and isinstance(part, int) and part < len(node.items):
            inner = node.items[part]
        if inner is None:
            return node
        node = inner
    return node


_Problems = Iterator[tuple[Node, str, str]]


def _suites(document: dict[str, Any], root: Node) -> _Problems:
    for name, suite in document.get("suites", {}).items():
        of = suite["evaluations"]
        if not any(of.values()):
            yield at(root, "suites", name, "evaluations"), f"the suite `{name}` has no evaluations", ""
        require = suite.get("require", {})
        repeats = suite.get("repeats", 1)
        if each := require.get("each"):
            passed, _, total = each.partition(" of ")
            node = at(root, "suites", name, "require", "each")
            if int(total) != repeats:
                yield node, f"`{each}` does not fit `repeats`: {repeats}", "Each repeat gives one result."
            elif int(passed) > int(total):
                yield node, f"`{each}` cannot be reached", ""
        if "confidence" in require and "rate" not in require:
            node = at(root, "suites", name, "require", "confidence")
            yield node, "`confidence` needs a `rate`", "The rate must be reached with this confidence."
        if require.get("confidence") and require.get("rate") == 1:
            node = at(root, "suites", name, "require", "rate")
            yield (
                node,
                "no number of runs can show a rate of 1",
                "Use a smaller rate, or leave out `confidence`.",
            )


def _scores(document: dict[str, Any], root: Node) -> _Problems:
    for name, score in document.get("scores", {}).items():
        if name != TRAJECTORY:
            for key in ("match_type", "ignore_args"):
                if key in score:
                    yield at(root, "scores", name, key), f"`{key}` is a setting of `{TRAJECTORY}` only", ""
    if document.get("scores") and not document.get("suites"):
        yield at(root, "scores"), "`scores` need suites", "They are computed from the turns of evaluations."


def _judges(document: dict[str, Any], root: Node) -> _Problems:
    for name, judge in document.get("judges", {}).items():
        has = bool(judge.get("rubrics"))
        if has and name not in RUBRIC_BASED:
            yield at(root, "judges", name, "rubrics"), f"`{name}` has no rubrics", ""
        if name in RUBRIC_BASED and not has:
            yield at(root, "judges", name), f"`{name}` needs `rubrics`", ""
    if document.get("judges") and not document.get("suites"):
        yield at(root, "judges"), "`judges` need suites", "They judge the turns of evaluations."
    if document.get("judges") and not document["limits"].get("judgeCalls"):
        yield at(root, "limits"), "`judges` need `judgeCalls` in `limits`", "Each call of a judge costs money."


def _canary(document: dict[str, Any], root: Node) -> _Problems:
    steps = document.get("canary", ())
    before = 0
    for number, step in enumerate(steps):
        node = at(root, "canary", number, "percent")
        if step["percent"] <= before:
            yield node, f"percentages must rise: {step['percent']} comes after {before}", ""
        before = step["percent"]
        if step.get("hold", timedelta()) > timedelta(days=_MOST_DAYS):
            yield at(root, "canary", number, "hold"), f"`hold` is longer than {_MOST_DAYS} days", ""
        for metric, condition in step.get("require", {}).items():
            if not condition:
                place = at(root, "canary", number, "require", metric)
                yield place, f"`{metric}` needs `atMost` or `increase`", ""
    if steps and steps[-1]["percent"] != 100:
        yield (
            at(root, "canary", len(steps) - 1, "percent"),
            "the last step of a canary must have 100 percent",
            "Until then, the old version serves the rest.",
        )
    if steps:
        for key in ("hold", "conversations", "require"):
            if key in steps[-1] and steps[-1]["percent"] == 100:
                node = at(root, "canary", len(steps) - 1, key)
                yield node, f"`{key}` has no effect in the last step", "The release is complete at that point."


def _rest(document: dict[str, Any], root: Node) -> _Problems:
    if not any(document.get(name) for name in ("suites", "smoke")):
        yield root, "the release checks nothing", "It needs `suites` or `smoke`."
    if any("say" in step for step in document.get("smoke", ())) and not document.get("smokeDeployment"):
        yield (
            at(root, "smoke"),
            "the smoke test needs `smokeDeployment`",
            "Name a deployment that serves the candidate: the released one still serves the old version.",
        )
    if document.get("smokeDeployment") == document["deployment"]:
        yield (
            at(root, "smokeDeployment"),
            "the smoke test cannot use the released deployment",
            "It serves the old version until the gate has passed.",
        )
    if document.get("evidenceAge", timedelta(days=1)) <= timedelta():
        yield at(root, "evidenceAge"), "`evidenceAge` must be longer than zero", ""
