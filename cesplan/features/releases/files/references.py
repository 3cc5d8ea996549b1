"""What a release file refers to must be in the tree: deployments, datasets, evaluations, agents, and tools."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fnmatch import fnmatchcase

from cesplan.config.files import Files, named_beside
from cesplan.config.manifest import AppTree, ResourceFile
from cesplan.config.report import FileReport, SourceFile
from cesplan.config.suggestions import Guess, guess
from cesplan.config.yaml.nodes import Mapping, Node, Scalar
from cesplan.domain.features.release import DEPLOYED, Release, SayStep, Suite, ToolsetStep, ToolStep
from cesplan.features.releases.files.coherence import at

CODE = "CES122"

_Problem = tuple[Node, str, str, Guess | None]
"""The place, the summary, the detail, and the suggestion."""


def check_references(
    release: Release, app: AppTree, root: Mapping, source: SourceFile, files: Files
) -> Release | None:
    """The release with its candidate; None, which is reported, if something that it names is not there."""
    problems = [
        *_deployments(release, app, root),
        *_suites(release, app, root),
        *_smoke(release, app, root),
        *_baseline(release, root, source, files),
    ]
    report = FileReport(source=source, report=files.report, code=CODE)
    for node, summary, detail, correction in problems:
        report.problem(node, summary, detail, correction=correction)
    if problems:
        return None
    file = _keys(app, "deployments")[release.deployment]
    baseline = release.baseline
    if baseline and baseline != DEPLOYED:
        baseline = named_beside(source.home_of(at(root, "baseline")).path, baseline)
    return replace(release, candidate=str(file.body["appVersion"]), baseline=baseline)


def _deployments(release: Release, app: AppTree, root: Node) -> Iterator[_Problem]:
    known = _keys(app, "deployments")
    yield from _missing([release.deployment], known, "deployment", root, "deployment")
    if release.smoke_deployment:
        yield from _missing([release.smoke_deployment], known, "deployment", root, "smokeDeployment")
    file = known.get(release.deployment)
    if file is None:
        return
    node = at(root, "deployment")
    version = file.body.get("appVersion")
    if not isinstance(version, str) or not version.startswith("versions/"):
        yield (
            node,
            f"`{file.path}` does not name a version of this app",
            "The `appVersion` of the deployment is the candidate of the release.",
            None,
        )
    if file.body.get("experimentConfig"):
        yield (
            node,
            f"`{file.path}` has an `experimentConfig`",
            "The release controls the traffic split: remove the field from the deployment.",
            None,
        )


def _suites(release: Release, app: AppTree, root: Node) -> Iterator[_Problem]:
    for suite in release.suites:
        of = at(root, "suites", suite.name, "evaluations")
        datasets = _keys(app, "evaluationDatasets")
        yield from _missing(suite.selection.datasets, datasets, "dataset", of, "dataset")
        files = _keys(app, "evaluations")
        tags = {str(tag): file for file in files.values() for tag in file.body.get("tags") or ()}
        for node, summary, detail, correction in _missing(suite.selection.tags, tags, "tag", of, "tag"):
            # An evaluation declares its tags: either may be the misspelled one.
            yield node, summary, detail, correction._replace(sure=False) if correction else None
        for pattern in suite.selection.names:
            if not any(_matches(pattern, file) for file in files.values()):
                yield (
                    _item(of, "name", pattern),
                    f"no evaluation matches `{pattern}`",
                    "",
                    guess(pattern, files) if "*" not in pattern else None,
                )
        if suite.selection.everything and not files:
            yield of, "the app has no evaluations", "", None
        chosen = evaluations_of(suite, app)
        critical = at(root, "suites", suite.name, "critical")
        for key in suite.critical:
            if key not in chosen:
                is_there = "is not in the suite" if key in files else "does not exist"
                yield _item(critical, "", key), f"the evaluation `{key}` {is_there}", "", guess(key, chosen)
        if not chosen and not suite.selection.tags and not suite.selection.names:
            yield of, f"the suite `{suite.name}` has no evaluations", "", None


def evaluations_of(suite: Suite, app: AppTree) -> set[str]:
    """The keys of the evaluations that a suite has, as the tree says."""
    files = _keys(app, "evaluations")
    chosen = suite.selection
    found = set(files) if chosen.everything else set()
    datasets = _keys(app, "evaluationDatasets")
    for name in chosen.datasets:
        members = datasets[name].body.get("evaluations") or () if name in datasets else ()
        found |= {str(item).removeprefix("evaluations/") for item in members} & files.keys()
    for key, file in files.items():
        if set(file.body.get("tags") or ()) & set(chosen.tags):
            found.add(key)
        if any(_matches(pattern, file) for pattern in chosen.names):
            found.add(key)
    return found


def _smoke(release: Release, app: AppTree, root: Node) -> Iterator[_Problem]:
    agents, tools, toolsets = (_keys(app, kind) for kind in ("agents", "tools", "toolsets"))
    for number, step in enumerate(release.smoke):
        node = at(root, "smoke", number)
        match step:
            case SayStep():
                expect = at(node, "expect")
                expected = [step.expect.agent] if step.expect.agent else []
                yield from _missing(expected, agents, "agent", expect, "agent")
                moves = step.expect.transfers or ()
                yield from _missing(moves, agents, "agent", expect, "transfers")
            case ToolStep():
                yield from _missing([step.tool], tools, "tool", node, "tool")
            case ToolsetStep():
                yield from _missing([step.toolset], toolsets, "toolset", node, "toolset")


def _baseline(release: Release, root: Node, source: SourceFile, files: Files) -> Iterator[_Problem]:
    if release.baseline in ("", DEPLOYED):
        return
    node = at(root, "baseline")
    path = named_beside(source.home_of(node).path, release.baseline)
    if path.startswith(("../", "/")) or not files.inside(path):
        yield node, f"`{release.baseline}` leads out of the tree", "", None
    elif files.text(path, mentioned_at=source.spot_of(node), code=CODE) is None:
        near = guess(release.baseline, [DEPLOYED])
        if near.nearest:
            yield node, f"the baseline `{release.baseline}` does not exist", "", near


def _missing(names: Iterable[str], known: Iterable[str], word: str, node: Node, key: str) -> Iterator[_Problem]:
    names_known = list(known)
    for name in names:
        if name not in names_known:
            yield _item(node, key, name), f"the {word} `{name}` does not exist", "", guess(name, names_known)


def _item(node: Node, key: str, text: str) -> Node:
    """The item of a list that has this text; the list itself if it cannot be determined."""
    inner = at(node, key) if key else node
    for item in getattr(inner, "items", ()):
        if isinstance(item, Scalar) and item.value == text:
            return item
    return inner


def _matches(pattern: str, file: ResourceFile) -> bool:
    texts = (file.address.key, str(file.body.get("displayName") or ""))
    return any(fnmatchcase(text, pattern) for text in texts)


def _keys(app: AppTree, kind: str) -> dict[str, ResourceFile]:
    return {str(item.address.key): item for item in app.of(kind)}
