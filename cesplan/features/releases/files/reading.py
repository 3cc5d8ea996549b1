"""Reading release files and files of smoke steps: mappings into values, with every mistake at its place."""

import hashlib
import re
from collections.abc import Mapping as MappingOf
from dataclasses import fields, replace
from typing import Any, TypeVar, cast

from cesplan.config.files import Files
from cesplan.config.manifest import AppTree
from cesplan.config.overlays.layers import Opened
from cesplan.config.repeated import repeated
from cesplan.config.report import FileReport, Report, SourceFile
from cesplan.config.yaml import nodes
from cesplan.domain.features.evaluation import EvaluationChoice
from cesplan.domain.features.release import (
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
from cesplan.domain.features.scores import Criterion, Rubric
from cesplan.domain.value import canonical_text
from cesplan.features.releases.files.coherence import check_coherence
from cesplan.features.releases.files.file_shape import LONGEST_SMOKE, RELEASE, SMOKE_STEP
from cesplan.features.releases.files.references import check_references
from cesplan.features.releases.files.shapes import ListOf, read

CODE = "CES121"
_T = TypeVar("_T")
_STEPS = ListOf(item=SMOKE_STEP, at_least=1, at_most=LONGEST_SMOKE)


def read_releases(app: AppTree, opened: MappingOf[str, Opened], files: Files) -> tuple[Release, ...]:
    """
    The releases of an app, by name.

    Errors go into the report of `files`, and a release with errors is left out.
    """
    found = [item for name, file in sorted(opened.items()) if (item := _release(app, name, file, files))]
    _check_deployments(found, files.report)
    return tuple(found)


def read_smoke_file(path: str, files: Files) -> tuple[SmokeStep, ...]:
    """The steps of a list in a YAML file; none if it has errors, which go into the report of `files`."""
    found = files.sequence(path)
    if found is None:
        return ()
    source, root = found
    steps = read(_STEPS, root, "smoke", FileReport(source=source, report=files.report, code=CODE))
    return tuple(map(smoke_step, steps or ()))


def _release(app: AppTree, name: str, opened: Opened, files: Files) -> Release | None:
    root = opened.root
    report = FileReport(source=opened.file, report=files.report, code=CODE)
    document = read(RELEASE, root, "", report)
    if document is None or not check_coherence(document, root, report):
        return None
    release = _release_of(app.key, name, opened.file.path, document)
    release = replace(release, digest=hashlib.sha256(canonical_text(nodes.plain(root)).encode()).hexdigest())
    return check_references(release, app, root, opened.file, files)


def _check_deployments(found: list[Release], report: Report) -> None:
    """Two releases of one deployment would move the same traffic."""
    for item, other in repeated(found, lambda item: item.deployment):
        report.add(
            CODE,
            f"`{other.file}` also releases the deployment `{item.deployment}`",
            SourceFile(item.file, "").spot(nodes.At(0, 0)),
            detail="Only one release can own the traffic of a deployment.",
        )


def _release_of(app: str, name: str, path: str, document: dict[str, Any]) -> Release:
    return _value(
        Release,
        document,
        name=name,
        app=app,
        file=path,
        suites=tuple(_suite(key, item) for key, item in document.get("suites", {}).items()),
        scores=tuple(_score(key, item) for key, item in document.get("scores", {}).items()),
        judges=tuple(_judge(key, item) for key, item in document.get("judges", {}).items()),
        smoke=tuple(map(smoke_step, document.get("smoke", ()))),
        limits=_value(ReleaseLimits, document["limits"]),
        canary=tuple(map(_canary_step, document.get("canary", ()))),
    )


def _suite(name: str, document: dict[str, Any]) -> Suite:
    of = document["evaluations"]
    requirement = document.get("require", {})
    each = requirement.get("each")
    only_rate = each is None and "rate" in requirement
    passing = int(each.partition(" ")[0]) if each else 0 if only_rate else document.get("repeats", 1)
    return _value(
        Suite,
        document,
        name=name,
        selection=EvaluationChoice(
            datasets=tuple(of.get("dataset", ())),
            tags=tuple(of.get("tag", ())),
            names=tuple(of.get("name", ())),
            everything=of.get("all", False),
        ),
        requirement=_value(Requirement, requirement, each=passing),
    )


def _score(metric: str, document: dict[str, Any]) -> ScoreDemand:
    return ScoreDemand(criterion=_value(Criterion, document, metric=metric), is_required=_is_required(document))


def _judge(metric: str, document: dict[str, Any]) -> JudgeDemand:
    rubrics = tuple(Rubric(key=key, text=text) for key, text in document.get("rubrics", {}).items())
    return _value(JudgeDemand, document, metric=metric, rubrics=rubrics, is_required=_is_required(document))


def _is_required(document: dict[str, Any]) -> bool:
    return not document.get("reportOnly", False)


def smoke_step(document: dict[str, Any]) -> SmokeStep:
    """A step as the table of release files shapes it."""
    if "say" in document:
        expect = _value(SmokeExpectation, document.get("expect", {}))
        return _value(SayStep, document, expect=expect, starts_session=document.get("newSession", False))
    if "tool" in document:
        return _value(ToolStep, document)
    return _value(ToolsetStep, document)


def _canary_step(document: dict[str, Any]) -> CanaryStep:
    required = document.get("require")
    conditions = (
        NO_WORSE if required is None else tuple(_condition(key, item) for key, item in required.items())
    )
    return _value(CanaryStep, document, conditions=conditions)


def _condition(metric: str, document: dict[str, Any]) -> CanaryCondition:
    return _value(CanaryCondition, document, metric=CanaryMetric(metric))


def _value(kind: type[_T], document: dict[str, Any], **given: Any) -> _T:
    """
    A value with what is given, with what the file says in fields of the same name (`judgeCalls` in
    `judge_calls`), and with the defaults of the other fields.
    """
    members = {re.sub("[A-Z]", lambda sign: f"_{sign[0].lower()}", key): item for key, item in document.items()}
    known = {item.name for item in fields(cast("Any", kind))} & members.keys()
    values = {
        name: tuple(members[name]) if isinstance(members[name], list) else members[name] for name in known
    }
    return kind(**{**values, **given})
