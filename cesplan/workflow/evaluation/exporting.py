"""Exporting: the evaluations of an app, of the tree or live, as ADK files."""

from collections.abc import Callable, Mapping
from pathlib import Path

from cesplan.config.writing.outputs import check_output_file
from cesplan.config.writing.whole_files import write_whole
from cesplan.domain.address import APPS, KindName
from cesplan.domain.desired import DesiredApp
from cesplan.domain.errors import CesplanError, UsageError
from cesplan.domain.features.evaluation import AdkExport, EvaluationChoice, EvaluationToExport
from cesplan.domain.live import LiveApp, LiveResource
from cesplan.domain.naming import Naming
from cesplan.domain.value import Body
from cesplan.engine.comparing.value_redactor import ValueRedactor
from cesplan.features.evaluation.choice import choose
from cesplan.features.scores.exporting import exported
from cesplan.features.scores.goldens import Names
from cesplan.model.kinds import AGENTS, DATASETS, EVALUATIONS, EXPECTATIONS, TOOLS, TOOLSETS, kind_of
from cesplan.workflow.connecting import GOOGLE, Connection, connected
from cesplan.workflow.live_app.target import AppTarget, desired_of_target, read_target, requested_app

_KINDS = (EVALUATIONS, DATASETS, AGENTS, TOOLS, TOOLSETS, EXPECTATIONS)
_READABLE = 0o644
CONFIG = "test_config.json"


def export_of_tree(target: AppTarget, choice: EvaluationChoice) -> AdkExport:
    """The chosen evaluations of the tree, offline. Raises UsageError."""
    desired = desired_of_target(target)
    app_name = requested_app(target, desired)
    mine = next((app for app in desired.apps if app.key == app_name), None)
    if mine is None:
        raise UsageError(
            summary=f"The tree has no app `{app_name}`.",
            detail="Name one by its key, or export what is live with --live.",
        )
    naming = Naming(place=desired.settings.place, app_id=mine.key)
    return _export(
        mine.key, "tree", _as_live(mine, naming), naming, choice, ValueRedactor(desired.secrets).masked
    )


def export_of_live(target: AppTarget, choice: EvaluationChoice, connection: Connection = GOOGLE) -> AdkExport:
    """The chosen evaluations as they are live. Raises UsageError, and what the service answers."""
    desired = desired_of_target(target)
    settings = connection.at(desired.settings)
    with connected(connection, settings, read_only=True, secrets=desired.secrets) as client:
        live, key, naming = read_target(requested_app(target, desired), desired, _KINDS, client)
    return _export(key, "live", live, naming, choice, ValueRedactor(desired.secrets).masked)


def write_export(export: AdkExport, folder: Path, *, overwrite: bool) -> tuple[Path, Path]:
    """
    Write both files, the eval set first. Raises UsageError for existing files with different content.
    """
    paths = (folder / f"{export.app}.evalset.json", folder / CONFIG)
    texts = (export.eval_set, export.config)
    for path, text in zip(paths, texts, strict=True):
        check_output_file(path)
        if path.exists() and not overwrite and not _has(path, text):
            raise UsageError(
                summary=f"{path} exists and would change. Nothing was written.",
                detail="To replace it, add --overwrite; or choose another folder with --out.",
            )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, text in zip(paths, texts, strict=True):
            write_whole(path, text, mode=_READABLE)
    except OSError as error:
        raise CesplanError(summary=f"Cannot write to {folder}: {error.strerror or error}.") from error
    return paths


def _export(
    key: str,
    source: str,
    live: LiveApp,
    naming: Naming,
    choice: EvaluationChoice,
    shown: Callable[[Body], Body],
) -> AdkExport:
    chosen = choose(choice, live, naming).evaluations
    bodies = {item.name: item for item in live.children.get(EVALUATIONS, ())}
    return exported(
        key,
        source,
        [
            EvaluationToExport(
                reference=item.reference,
                title=item.display_name,
                body=shown(bodies[item.name].body),
                thresholds=item.thresholds,
            )
            for item in chosen
        ],
        _names(live, naming),
        {
            spelling: str((item.body.get("llmCriteria") or {}).get("prompt") or "")
            for item in live.children.get(EXPECTATIONS, ())
            for spelling in (item.name, naming.to_reference(item.name))
        },
    )


def _names(live: LiveApp, naming: Naming) -> Names:
    """Display names by full name and by reference, as live bodies and those of a tree refer to resources."""
    tools, agents = (_titles(live, kind, naming) for kind in (TOOLS, AGENTS))
    root = str(live.app.body.get("rootAgent") or "")
    return Names(tools=tools, agents=agents, author=agents.get(root, "agent"))


def _titles(live: LiveApp, kind: KindName, naming: Naming) -> Mapping[str, str]:
    return {
        spelling: str(item.body.get("displayName") or "") or kind_of(kind).display_name_in(item.body)
        for item in live.children.get(kind, ())
        for spelling in (item.name, naming.to_reference(item.name))
    }


def _as_live(app: DesiredApp, naming: Naming) -> LiveApp:
    """The resources of a tree in the shape of live ones; what they refer to stays `<kind>/<key>`."""
    children: dict[KindName, list[LiveResource]] = {kind: [] for kind in _KINDS}
    for item in app.resources:
        kind, key = item.address.kind, item.address.key
        if kind in children:
            body = {**item.body, "name": naming.to_name(f"{kind}/{key}")}
            children[kind].append(LiveResource(kind=kind, body=body))
    root = LiveResource(kind=APPS, body={**app.app.body, "name": naming.app_name})
    return LiveApp(app=root, children={kind: tuple(found) for kind, found in children.items()})


def _has(path: Path, text: str) -> bool:
    try:
        return path.read_text(encoding="utf-8") == text
    except (OSError, UnicodeDecodeError):
        return False
