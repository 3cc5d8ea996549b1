"""
Since: what changed in the tree since a commit, as the plan that would be made if that commit were live.

No request is sent, so it works without credentials: for a pull request from a fork, for instance.
Secrets that have no value get a placeholder in both states; they are compared by their variables.
"""

import os
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from cesplan.config.cache.store import users_cache
from cesplan.config.committed import extract_tree
from cesplan.config.files import Files
from cesplan.config.git import repository_of
from cesplan.config.project.file import no_policy
from cesplan.config.project.project import find_root, read_project
from cesplan.config.project.variables import MISSING, SECRET_PREFIX
from cesplan.config.report import Report
from cesplan.config.source import made_now, read_source
from cesplan.config.tree.load import Loaded, load
from cesplan.domain.address import Address
from cesplan.domain.desired import Desired, DesiredApp, DesiredResource
from cesplan.domain.diagnostic import Severity
from cesplan.domain.errors import CesplanError, UsageError
from cesplan.domain.frozen import dataclass
from cesplan.domain.live import Live, LiveApp, LiveResource
from cesplan.domain.naming import Naming
from cesplan.domain.options import NO_OPTIONS, Allowances, PlanOptions
from cesplan.domain.plan import Plan
from cesplan.engine.applying.wire import to_wire
from cesplan.engine.planning import plan as planning
from cesplan.features.history.quick_reads import as_live, body_with_extra
from cesplan.features.impact.plan import with_impact
from cesplan.features.policy.check import police
from cesplan.features.typed_diffs.verdicts import with_typed_diffs
from cesplan.features.weakening.weakening import with_weakening
from cesplan.model.kinds import app_kinds, kind_of
from cesplan.workflow.validating import TreeTarget, desired_of, read_release_files, read_rules

_PLACEHOLDER = "cesplan-placeholder-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Since:
    """The plan from a commit to the tree, and the tree."""

    plan: Plan
    loaded: Loaded


def load_offline(tree: TreeTarget) -> Loaded:
    """The tree, with placeholders for secrets that have no value."""
    return load(
        tree.folder,
        environment=tree.environment,
        variables=tree.variables,
        environ=_with_placeholders(tree),
        read_policy=read_rules,
        read_releases=read_release_files,
        cache_of=users_cache,
    )


def plan_since(loaded: Loaded, ref: str, *, options: PlanOptions = NO_OPTIONS) -> Since:
    """
    What leads from the tree at a commit to the tree that was loaded.

    `ref` is what git takes for a commit: a branch, a tag, an id, `HEAD~1`. Raises UsageError for a name that is
    none, or outside of git; InvalidConfiguration for a tree with errors; and CesplanError where the tree at the
    commit cannot be read, or has errors itself.
    """
    now = desired_of(loaded)
    root = loaded.root or Path()
    commit = _commit(root, ref)
    then, skipped = _tree_at(loaded, root, commit)
    desired = _comparable(now, then)
    options = replace(options, adopt=True, prune=True, quick=False)
    plan = planning.plan(desired, _as_live(then, desired), options)
    plan = with_impact(with_weakening(with_typed_diffs(plan)))
    plan = replace(plan, since=commit, notices=(*plan.notices, *_removed_apps(now, then), *skipped))
    plan = replace(plan, made=made_now(read_source(root)))
    return Since(plan=police(plan, loaded.policy, Allowances()), loaded=loaded)


def _commit(root: Path, ref: str) -> str:
    """The full id of a commit."""
    repository = repository_of(root)
    if repository is None:
        raise UsageError(summary="--since needs a tree in a git repository.")
    if ref.startswith("-"):  # git would take it for an option
        raise UsageError(summary=f"`{ref}` is not a commit.")
    found = repository.output_text("rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}")
    if not found:
        raise UsageError(
            summary=f"`{ref}` is not a commit of this repository.",
            detail="Name a branch, a tag, or the id of a commit. In a shallow clone, fetch it first.",
        )
    return found


def _tree_at(now: Loaded, root: Path, commit: str) -> tuple[Desired, tuple[str, ...]]:
    """The tree at a commit; an empty one where the commit does not have it yet. And notices about it."""
    environment = desired_of(now).settings.environment
    with tempfile.TemporaryDirectory(prefix="cesplan-") as folder:
        extracted = extract_tree(root, commit, Path(folder))
        if extracted.trouble:
            raise CesplanError(summary=f"The tree cannot be compared: {extracted.trouble}.")
        there = Path(folder)
        if not (there / "cesplan.yaml").is_file():
            raise CesplanError(
                summary=f"The commit {commit[:12]} has no cesplan.yaml in the folder of the tree."
            )
        loaded = load_offline(TreeTarget(folder=there, environment=environment, variables=now.variables))
    if loaded.desired is None:
        errors = [item for item in loaded.diagnostics if item.severity is Severity.ERROR]
        first = f"{errors[0].place}: {errors[0].summary}" if errors and errors[0].place else "it cannot be read"
        raise CesplanError(
            summary=f"The tree at {commit[:12]} has errors, so nothing can be compared: {first}."
        )
    left = f"{', '.join(extracted.skipped)} of the commit {commit[:12]} left out: it leads outside the tree"
    return loaded.desired, (left,) if extracted.skipped else ()


def _comparable(now: Desired, then: Desired) -> Desired:
    """The tree of now with the folders of both, so that a resource whose folder went with it is a delete."""
    folders = {app.key: app.folders for app in then.apps}
    apps = tuple(replace(app, folders=app.folders | folders.get(app.key, frozenset())) for app in now.apps)
    return replace(now, apps=apps, settings=replace(now.settings, stamp=False, lease=False))


def _as_live(then: Desired, desired: Desired) -> Live:
    """The old tree as if it were live, under the ids that today's tree has for the same addresses."""
    ids = {item.address: item.resource_id for app in desired.apps for item in app.all() if item.resource_id}
    kinds = app_kinds(desired.settings.api_version)
    apps = {}
    for app in then.apps:
        if app.key not in {item.key for item in desired.apps}:
            continue
        same = replace(
            app,
            app=_under(app.app, ids),
            resources=tuple(_under(item, ids) for item in app.resources),
        )
        naming = _naming(same, desired)
        root = LiveResource(
            kind=app.app.address.kind, body={**body_with_extra(app.app), "name": naming.app_name}
        )
        children = {
            kind.name: tuple(_named(item, naming) for item in as_live(naming.app_name, same, kind))
            for kind in kinds
        }
        apps[app.key] = LiveApp(app=_named(root, naming), children=children)
    location = {
        item.address.kind: LiveResource(
            kind=item.address.kind,
            body={**body_with_extra(item), "name": f"{desired.settings.place.name}/{item.address.kind}"},
        )
        for item in then.location_resources
    }
    return Live(apps=apps, location=location)


def _naming(app: DesiredApp, desired: Desired) -> Naming:
    """The ids of the old tree: references in its bodies are names, so that today's keys are found by them."""
    ids: dict[tuple[str, str], str] = {
        (item.address.kind, item.address.key): item.resource_id for item in app.resources if item.resource_id
    }
    return Naming(place=desired.settings.place, app_id=app.app.resource_id or str(app.key), ids=ids)


def _named(item: LiveResource, naming: Naming) -> LiveResource:
    """A resource with full names for references, as the service answers it."""
    return replace(item, body=to_wire(kind_of(item.kind).spec, item.body, naming))


def _under(item: DesiredResource, ids: Mapping[Address, str]) -> DesiredResource:
    return replace(item, resource_id=ids.get(item.address, item.resource_id))


def _removed_apps(now: Desired, then: Desired) -> tuple[str, ...]:
    left = {app.key for app in now.apps}
    return tuple(
        f"{app.key} was removed from the tree with its {len(app.resources):,} resources"
        for app in then.apps
        if app.key not in left
    )


def _with_placeholders(tree: TreeTarget) -> Mapping[str, str]:
    """The environment, with a text for each declared secret that has none."""
    root = find_root(tree.folder)
    if root is None:
        return os.environ
    project = read_project(Files(root, Report()), tree.environment, tree.variables, os.environ, no_policy)
    if project is None:
        return os.environ
    missing = {
        f"{SECRET_PREFIX}{name}": f"{_PLACEHOLDER}{name}"
        for name, declaration in project.variables.declared.items()
        if declaration.secret and project.variables.values.get(name, MISSING) is MISSING
    }
    return {**os.environ, **missing}
