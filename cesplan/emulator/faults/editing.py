"""A concurrent edit of a resource during a request, which the caller cannot foresee."""

from cesplan.emulator.contract import load
from cesplan.emulator.faults.specs import Edit
from cesplan.emulator.schema import masks
from cesplan.emulator.schema.messages import Body
from cesplan.emulator.seeding import seed
from cesplan.emulator.service import Service
from cesplan.emulator.storage.store import Row


def edit_as_somebody_else(service: Service, name: str, edit: Edit) -> None:
    """Create, change, or delete the resource with this name, bypassing all rules, as the edit's author."""
    row = service.store.get(name)
    if row is None:
        _make(service, name, edit)
    elif edit.delete:
        service.core.writer.delete(row, edit.author)
        service.core.aftermath.deleted(row)
    elif edit.body:
        _change(service, row, edit)
    else:
        service.core.writer.touch(row, row.body, etag=True)


def _make(service: Service, name: str, edit: Edit) -> None:
    """Create a resource; kinds without a create method (runs, conversations) are stored without an author."""
    if not edit.body or not name:
        return
    seed(service, [{**edit.body, "name": name}])
    row = service.core.lookup.resource(name)
    if "create" in load().kinds[row.kind].query:
        service.core.aftermath.created(service.core.writer.create(name, row.body, edit.author))


def _change(service: Service, row: Row, edit: Edit) -> None:
    message = load().kinds[row.kind].message
    changed = service.core.checker.learn(message, edit.body)
    merged: Body = masks.ordered(message, row.body | changed)
    service.core.aftermath.updated(service.core.writer.update(row, merged, edit.author), row)
