"""
The effects of a write on other resources: their derived fields.

Sources: the app's data-store engine and etag change with a data-store tool (docs/api-facts.md); datasets are
mirrored on evaluations, deployments are counted on the app, and examples and evaluations become `invalid` if
something that they mention no longer exists (output-only fields of the reference).
"""

from dataclasses import dataclass

from cesplan.emulator.contract import load
from cesplan.emulator.resources.writer import Writer
from cesplan.emulator.rules.lookup import Lookup
from cesplan.emulator.schema.messages import Body
from cesplan.emulator.schema.names import kind_of
from cesplan.emulator.storage.store import Row, Store

# Messages whose displayName is derived from the field that names the target.
_NAMED = {"AgentTransfer": "targetAgent", "ToolCall": "tool", "ToolResponse": "tool"}
_WITH_INVALID = ("examples", "evaluations")


@dataclass(frozen=True, slots=True)
class Aftermath:
    """Keeps derived fields of other resources up to date. Runs in the write's transaction."""

    store: Store
    lookup: Lookup
    writer: Writer

    def created(self, row: Row) -> None:
        """Update other resources after a create."""
        if row.kind == "tools" and "dataStoreTool" in row.body:
            self._connect_engine(row.parent)
        if row.kind == "evaluationDatasets":
            self._mirror_datasets(row.parent, set(_members(row)))
        self._changed(row.kind, row.parent, row.name)

    def updated(self, row: Row, old: Row) -> None:
        """Update other resources after an update."""
        if row.kind == "tools" and "dataStoreTool" in row.body and "dataStoreTool" not in old.body:
            self._connect_engine(row.parent)
        if row.kind == "evaluationDatasets":
            self._mirror_datasets(row.parent, {*_members(row), *_members(old)})

    def deleted(self, row: Row) -> None:
        """Update other resources after a delete."""
        if row.kind == "evaluationDatasets":
            self._mirror_datasets(row.parent, set(_members(row)))
        else:
            self._changed(row.kind, row.parent, row.name)

    def mark(self, kind: str, body: Body, app: str) -> None:
        """Set, in place, the fields that an example or evaluation derives from the targets that it mentions."""
        if kind not in _WITH_INVALID:
            return
        message = load().kinds[kind].message
        self._name_targets(message, body)
        body.pop("invalid", None)
        if self.lookup.dangling(message, body, app):
            body["invalid"] = True

    def _changed(self, kind: str, app: str, name: str) -> None:
        if kind == "deployments":
            self._count_deployments(app)
        for other in _WITH_INVALID:
            for row in self.store.mentioning(app, other, self.lookup.spellings(name)):
                if row.name != name:
                    self._revalidate(row)

    def _revalidate(self, row: Row) -> None:
        body = row.body
        self.mark(row.kind, body, row.parent)
        if body != row.body:
            self.writer.touch(row, body)

    def _name_targets(self, message: str, body: Body) -> None:
        specs = load().messages[message]
        target = self.store.get(body.get(_NAMED.get(message, ""), ""))
        if target is not None:
            body["displayName"] = target.display_name
        for name, value in body.items():
            inner = specs[name].type if name in specs else ""
            for item in value if isinstance(value, list) else [value]:
                if inner in load().messages:
                    self._name_targets(inner, item)

    def _connect_engine(self, app_name: str) -> None:
        app = self.store.get(app_name)
        if app is None:
            return
        body = app.body
        location, app_id = app_name.rsplit("/apps/", 1)
        engine = {
            "name": f"{location}/collections/default_collection/engines/{app_id}",
            "type": "ENGINE_TYPE_SEARCH",
        }
        body.setdefault("dataStoreSettings", {})["engines"] = [engine]
        self.writer.touch(app, body, etag=True)

    def _count_deployments(self, app_name: str) -> None:
        app = self.store.get(app_name)
        if app is None:
            return
        body = app.body
        count = len(self.store.children(app_name, "deployments"))
        body.pop("deploymentCount", None)
        self.writer.touch(app, body | ({"deploymentCount": count} if count else {}))

    def _mirror_datasets(self, app: str, evaluations: set[str]) -> None:
        for name in sorted(evaluations):
            row = self.store.get(name)
            if row is None or kind_of(name) != "evaluations":
                continue
            body = row.body
            spellings = self.lookup.spellings(name)
            datasets = self.store.mentioning(app, "evaluationDatasets", spellings)
            body.pop("evaluationDatasets", None)
            mirror = [dataset.name for dataset in datasets]
            self.writer.touch(row, body | ({"evaluationDatasets": mirror} if mirror else {}))


def _members(row: Row) -> list[str]:
    members: list[str] = row.body.get("evaluations", [])
    return members
