"""
`:importApp`: an archive becomes an app, or the new content of one.

REPLACE matches display names and deletes nothing; OVERWRITE deletes agents, tools, examples, guardrails, and
toolsets and re-creates them (docs/api-facts.md). A field that the service does not know is left out with a
warning (docs/api-facts.md), and so is a resource with errors. The emulator's own choices: an existing app is
replaced if no strategy is given, and a reference to something that was left out is dropped with a warning.
"""

import base64
import uuid
from dataclasses import dataclass, field, replace

from cesplan.emulator.archive import layout
from cesplan.emulator.archive.linking import Linker, display_name_of
from cesplan.emulator.archive.reading import Parsed, read_archive
from cesplan.emulator.archive.vetting import other_parameters, tool_fault, without_bad_callbacks
from cesplan.emulator.contract import load
from cesplan.emulator.errors import Refused, invalid
from cesplan.emulator.http.calls import Call
from cesplan.emulator.http.encoding import row_of
from cesplan.emulator.resources.core import Methods
from cesplan.emulator.resources.locations import Locations
from cesplan.emulator.schema import masks
from cesplan.emulator.schema.messages import Body, without_transport
from cesplan.emulator.schema.names import chosen_id, is_id
from cesplan.emulator.storage import objects
from cesplan.emulator.storage.store import Row

# Changes to the content of the archive, in an undocumented format.
_PATCHES = ("jsonPatchContent", "jsonPatchGcsUri")


class _Left(Exception):
    """Resources were found invalid while they were written: start again without them."""

    def __init__(self, warnings: dict[str, str]) -> None:
        super().__init__(", ".join(warnings))
        self.warnings = warnings


@dataclass(slots=True, kw_only=True)
class _Import:
    """A running import; `rest` are the resources by their future names."""

    call: Call
    name: str
    existing: Row | None
    overwrite: bool
    app: Parsed
    rest: dict[str, Parsed] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)


class Importing(Methods):
    """Reads archives into the store."""

    def import_app(self, call: Call) -> str:
        """Import an archive, or with validateOnly only return what an import would report."""
        request = self._core.request_body(call)
        for name in _PATCHES:
            if name in request:
                raise Refused("UNIMPLEMENTED", f"{name}: the emulator cannot patch archives.")
        options = request.get("importOptions", {})
        job = self._job(call, request, options.get("conflictResolutionStrategy", ""))
        with self._core.store.attempt(undo=options.get("validateOnly", False)):
            self._write_all(job)
        response = {"name": job.name} | ({"warnings": job.warnings} if job.warnings else {})
        return self._core.operations.started(call, response)

    def _job(self, call: Call, request: Body, strategy: str) -> _Import:
        location = call.target.parent
        Locations(self._core.switches).check(location)
        name = f"{location}/apps/{chosen_id(request.get('appId', ''), 'appId')}"
        existing = self._core.store.get(name)
        if existing is not None and "displayName" in request:
            raise invalid("displayName", "it cannot be set when an existing app is imported")
        if existing is not None and not request.get("ignoreAppLock", False):
            self._core.rules.check_unlocked(existing)
        app, parsed = read_archive(
            self._content(request), self._core.checker, call.target.version, self._core.switches.largest_archive
        )
        self._core.checker.check("App", app.body)
        if existing is None:
            app = self._named(app, request.get("displayName", ""), location)
        overwrite = strategy == "OVERWRITE"
        job = _Import(call=call, name=name, existing=existing, overwrite=overwrite, app=app)
        job.warnings += _dropped(app)
        for one in parsed:
            self._accept(job, one)
        return job

    def _content(self, request: Body) -> bytes:
        if "appContent" in request:
            return base64.b64decode(request["appContent"])
        if "gcsUri" in request:
            return objects.read(self._core.store, request["gcsUri"])
        raise invalid("app", "either appContent or gcsUri is required")

    def _named(self, app: Parsed, display_name: str, location: str) -> Parsed:
        """Return the app with the requested display name, made unique with the time."""
        unique_name = display_name or app.display_name
        if self._core.store.named(location, "apps", unique_name):
            unique_name = f"{unique_name} {self._core.clock.now()}"
        if unique_name == app.display_name:
            return app
        return replace(app, body=app.body | {"displayName": unique_name})

    def _accept(self, job: _Import, one: Parsed) -> None:
        """Accept a resource under its future name, or warn that it is skipped."""
        vetted = self._vetted(job, one)
        if vetted is None:
            return
        name = self._name_of(job, vetted)
        if name in job.rest:
            job.warnings.append(f"{one.path}: another of {one.kind} has the same name; it is skipped.")
        else:
            job.rest[name] = vetted

    def _vetted(self, job: _Import, one: Parsed) -> Parsed | None:
        if one.fault:
            job.warnings.append(f"{one.path}: {one.fault}; it is skipped.")
            return None
        try:
            self._core.checker.check(load().kinds[one.kind].message, one.body)
        except Refused as refused:
            job.warnings.append(f"{one.path}: {refused.message}; it is skipped.")
            return None
        job.warnings += _dropped(one)
        warnings: list[str] = []
        fault = tool_fault(one.body) if one.kind == "tools" else ""
        if fault:
            warnings.append(f"{one.path}: {fault}; it is skipped.")
        body = one.body
        if one.kind == "agents":
            body, faults = without_bad_callbacks(body, self._core.switches)
            warnings += [f"{one.path}: {why}; the callback is skipped." for why in faults]
            warnings += [f"{one.path}: {why}; the callback is kept." for why in other_parameters(body)]
        job.warnings += warnings if self._core.switches.import_dropped_code == "warn" else []
        return None if fault else replace(one, body=body)

    def _name_of(self, job: _Import, one: Parsed) -> str:
        replaced = layout.OVERWRITTEN if job.overwrite else ()
        if job.existing is not None and one.kind not in replaced:
            same = self._core.store.named(job.name, one.kind, display_name_of(one))
            if same:
                return same[0].name
        given = str(one.body.get("name", "")).rpartition("/")[2]
        own = job.overwrite and self._core.switches.import_overwrite_ids == "new" and job.existing is not None
        name = f"{job.name}/{one.kind}/{given}"
        usable = is_id(given) and not own and (one.kind in replaced or self._core.store.get(name) is None)
        return name if usable else f"{job.name}/{one.kind}/{uuid.uuid4()}"

    def _write_all(self, job: _Import) -> None:
        """Write everything. Invalid resources are skipped, and the rest is written again from the beginning."""
        while True:
            before = len(job.warnings)
            try:
                with self._core.store.attempt():
                    self._attempt(job)
                return
            except _Left as left:
                del job.warnings[before:]
                for name, warning in left.warnings.items():
                    job.warnings.append(warning)
                    del job.rest[name]

    def _attempt(self, job: _Import) -> None:
        old = self._clear(job)
        self._hold_places(job)
        linker = Linker(self._core, job.name, job.rest)
        order = {kind: index for index, kind in enumerate(layout.FOLDERS)}
        left: dict[str, str] = {}
        for name, one in sorted(job.rest.items(), key=lambda pair: order[pair[1].kind]):
            try:
                self._write(job, name, one, old.get(name), linker)
            except Refused as refused:
                left[name] = f"{one.path}: {refused.message}; it is skipped."
        if left:
            raise _Left(left)
        body = linker.linked("apps", job.app.body, job.app.path, job.warnings)
        self._write_app(job, body)

    def _clear(self, job: _Import) -> dict[str, Row]:
        """Delete what OVERWRITE deletes, and return what stays and will be overwritten."""
        for kind in layout.OVERWRITTEN if job.overwrite and job.existing else ():
            for row in self._core.store.children(job.name, kind):
                self._core.writer.delete(row, job.call.author)
                self._core.aftermath.deleted(row)
        found = ((name, self._core.store.get(name)) for name in job.rest)
        return {name: row for name, row in found if row is not None}

    def _hold_places(self, job: _Import) -> None:
        """
        Create placeholders for all names before the first body is checked, because references go both ways.
        """
        now = self._core.clock.now()
        for name, one in {job.name: job.app, **job.rest}.items():
            if self._core.store.get(name) is None:
                body = {"displayName": display_name_of(one)}
                self._core.store.put(row_of(name, body, created=now, updated=now))

    def _write(self, job: _Import, name: str, one: Parsed, old: Row | None, linker: Linker) -> None:
        kind = load().kinds[one.kind]
        linked = linker.linked(one.kind, one.body, one.path, job.warnings)
        body = self._checked(kind.message, linked, job)
        if old is None:
            self._core.writing.created(kind, name, body, job.call.author)
        else:
            merged = masks.replaced(kind.message, old.body, body)
            self._core.writing.updated(kind, old, merged, job.call.author)

    def _write_app(self, job: _Import, given: Body) -> None:
        kind = load().kinds["apps"]
        body = self._checked("App", given, job)
        if job.existing is None:
            self._core.writing.created(kind, job.name, body, job.call.author)
            return
        now = self._core.lookup.resource(job.name)
        merged = masks.replaced("App", now.body, body)
        self._core.writing.updated(kind, now, merged, job.call.author)

    def _checked(self, message: str, body: Body, job: _Import) -> Body:
        return without_transport(self._core.checker.check(message, body, version=job.call.target.version))


def _dropped(one: Parsed) -> list[str]:
    """Return a warning for each field that the service does not know."""
    return [f"{one.path}: {field}: no such field; it is skipped." for field in one.dropped]
