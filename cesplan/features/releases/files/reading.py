"""Reading release files: the mapping of a file into a Release, with every mistake at its place."""

import hashlib
from collections.abc import Mapping as MappingOf
from dataclasses import replace
from datetime import timedelta
from typing import Any

from cesplan.config.files import Files
from cesplan.config.manifest import AppTree
from cesplan.config.overlays.layers import Opened
from cesplan.config.report import Report, SourceFile
from cesplan.config.suggestions import Guess
from cesplan.config.yaml import nodes
from cesplan.domain.features.evaluation import EvaluationChoice, Method, ToolBehavior
from cesplan.domain.features.release import (
    DEFAULT_AGE,
    NO_WORSE,
    CanaryCondition,
    CanaryMetric,
    CanaryStep,
    JudgeDemand,
    Release,
    ReleaseLimits,
    Requirement,
    SayStep,
    ScoreDemand,
    SmokeExpectation,
    SmokeStep,
    Suite,
    ToolsetStep,
    ToolStep,
)
from cesplan.domain.features.scores import TRAJECTORY, Criterion, MatchType, Rubric
from cesplan.domain.value import canonical_text
from cesplan.features.releases.files.coherence import check_coherence
from cesplan.features.releases.files.file_shape import RELEASE
from cesplan.features.releases.files.references import check_references
from cesplan.features.releases.files.shapes import read

CODE = "CES121"


def read_releases(app: AppTree, opened: MappingOf[str, Opened], files: Files) -> tuple[Release, ...]:
    """
    The releases of an app, by name.

    Errors go into the report of `files`, and a release with errors is left out.
    """
    found = [item for name, file in sorted(opened.items()) if (item := _release(app, name, file, files))]
    _check_deployments(found, files.report)
    return tuple(found)


def _release(app: AppTree, name: str, opened: Opened, files: Files) -> Release | None:
    source, root = opened.file, opened.root
    problems = 0

    def report(node: nodes.Node, summary: str, *, detail: str = "", meant: Guess | None = None) -> None:
        nonlocal problems
        problems += 1
        files.report.add(CODE, summary, source.spot_of(node), detail=detail, meant=meant)

    said = read(RELEASE, root, "", report)
    if said is None or problems:
        return None
    if not check_coherence(said, root, source, files.report):
        return None
    release = _made(app.key, name, source.path, said)
    release = replace(release, digest=hashlib.sha256(canonical_text(nodes.plain(root)).encode()).hexdigest())
    return check_references(release, app, root, source, files)


def _check_deployments(found: list[Release], report: Report) -> None:
    """Two releases of one deployment would move the same traffic."""
    first: dict[str, Release] = {}
    for item in found:
        other = first.setdefault(item.deployment, item)
        if other is not item:
            report.add(
                CODE,
                f"`{other.file}` also releases the deployment `{item.deployment}`",
                SourceFile(item.file, "").spot(nodes.At(0, 0)),
                detail="Only one release can own the traffic of a deployment.",
            )


def _made(app: str, name: str, path: str, said: dict[str, Any]) -> Release:
    return Release(
        name=name,
        app=app,
        file=path,
        deployment=said["deployment"],
        suites=tuple(_suite(key, item) for key, item in said.get("suites", {}).items()),
        scores=tuple(_score(key, item) for key, item in said.get("scores", {}).items()),
        judges=tuple(_judge(key, item) for key, item in said.get("judges", {}).items()),
        baseline=said.get("baseline", ""),
        smoke=tuple(map(smoke_step, said.get("smoke", ()))),
        smoke_deployment=said.get("smokeDeployment", ""),
        smoke_tools=ToolBehavior(said.get("smokeTools", ToolBehavior.FAKE)),
        limits=_limits(said["limits"]),
        canary=tuple(map(_canary_step, said.get("canary", ()))),
        evidence_age=said.get("evidenceAge", DEFAULT_AGE),
    )


def _suite(name: str, said: dict[str, Any]) -> Suite:
    of = said["evaluations"]
    repeats = said.get("repeats", 1)
    requirement = said.get("require", {})
    each = requirement.get("each")
    only_rate = each is None and "rate" in requirement
    return Suite(
        name=name,
        selection=EvaluationChoice(
            datasets=tuple(of.get("dataset", ())),
            tags=tuple(of.get("tag", ())),
            names=tuple(of.get("name", ())),
            everything=of.get("all", False),
        ),
        repeats=repeats,
        method=Method(said.get("method", Method.STABLE)),
        tools=ToolBehavior(said.get("tools", ToolBehavior.FAKE)),
        requirement=Requirement(
            each=int(each.partition(" ")[0]) if each else (0 if only_rate else repeats),
            rate=requirement.get("rate"),
            confidence=requirement.get("confidence"),
        ),
        critical=tuple(said.get("critical", ())),
    )


def _score(metric: str, said: dict[str, Any]) -> ScoreDemand:
    criterion = Criterion(
        metric=metric,
        threshold=said["threshold"],
        match_type=MatchType(said.get("match_type", MatchType.EXACT)),
        ignore_args=said.get("ignore_args", False) if metric == TRAJECTORY else False,
    )
    return ScoreDemand(criterion=criterion, is_required=not said.get("reportOnly", False))


def _judge(metric: str, said: dict[str, Any]) -> JudgeDemand:
    return JudgeDemand(
        metric=metric,
        threshold=said["threshold"],
        samples=said.get("samples", 5),
        model=said.get("model", ""),
        rubrics=tuple(Rubric(key=key, text=text) for key, text in said.get("rubrics", {}).items()),
        is_required=not said.get("reportOnly", False),
    )


def smoke_step(said: dict[str, Any]) -> SmokeStep:
    """A step as the table of release files shapes it."""
    if "say" in said:
        return SayStep(
            say=said["say"],
            expect=_expectation(said.get("expect", {})),
            variables=said.get("variables", {}),
            starts_session=said.get("newSession", False),
        )
    if "tool" in said:
        return ToolStep(
            tool=said["tool"],
            args=said.get("args", {}),
            mocks=tuple(said.get("mocks", ())),
            response=said.get("response"),
        )
    return ToolsetStep(toolset=said["toolset"], tool_ids=tuple(said["toolIds"]))


def _expectation(said: dict[str, Any]) -> SmokeExpectation:
    return SmokeExpectation(
        tools=tuple(said["tools"]) if "tools" in said else None,
        transfers=tuple(said["transfers"]) if "transfers" in said else None,
        agent=said.get("agent"),
        says=tuple(said.get("says", ())),
        never_says=tuple(said.get("neverSays", ())),
        ends=said.get("ends"),
    )


def _limits(said: dict[str, Any]) -> ReleaseLimits:
    return ReleaseLimits(
        sessions=said["sessions"],
        minutes=said.get("minutes", 30),
        judge_calls=said.get("judgeCalls", 0),
        reruns=said.get("reruns", 1),
    )


def _canary_step(said: dict[str, Any]) -> CanaryStep:
    asked = said.get("require")
    conditions = NO_WORSE if asked is None else tuple(_condition(key, item) for key, item in asked.items())
    return CanaryStep(
        percent=said["percent"],
        hold=said.get("hold", timedelta()),
        conversations=said.get("conversations", 0),
        conditions=conditions,
    )


def _condition(metric: str, said: dict[str, Any]) -> CanaryCondition:
    return CanaryCondition(
        metric=CanaryMetric(metric), at_most=said.get("atMost"), increase=said.get("increase")
    )
