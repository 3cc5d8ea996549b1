"""Get and list."""

from collections.abc import Callable
from typing import Any

from cesplan.emulator.contract import load
from cesplan.emulator.http import filters, pages
from cesplan.emulator.http.calls import Call
from cesplan.emulator.http.encoding import encode
from cesplan.emulator.resources import conversations
from cesplan.emulator.resources.core import Methods
from cesplan.emulator.resources.locations import Locations
from cesplan.emulator.rules.system_tools import asked_for, system_tools
from cesplan.emulator.storage.store import Row

_FILTERS = ("filter", "evaluationFilter", "evaluationRunFilter")
_ANY = "-"


class Reading(Methods):
    """The two standard methods that read. Both return JSON text."""

    def get(self, call: Call) -> str:
        row = self._core.lookup.resource(call.target.name)
        if row.kind == "conversations":
            conversations.check_source(call, row)
        return self._core.answers.resource_text(row, call.form)

    def listing(self, call: Call) -> str:
        kind = load().kinds[call.target.kind]
        app = self._core.lookup.parent(call.target)
        Locations(self._core.switches).check(call.target.parent, every=True)
        page = pages.requested_page(kind, call.target.parent, call.own_query(), self._core.switches)
        rows = self._rows(call, page, app)
        shown = rows[: page.size]
        items = ",".join(self._item(call, row) for row in shown)
        token = pages.next_token(page, shown[-1], self._order_key) if len(rows) > page.size else ""
        tail = f',"nextPageToken":{encode(token)}' if token else ""
        if kind.collection == "apps" and self._core.switches.unreachable:
            tail += f',"unreachable":{encode(self._core.switches.unreachable)}'
            return f'{{"{kind.list_key}":[{items}]{tail}}}'
        return f'{{"{kind.list_key}":[{items}]{tail}}}' if shown else "{}"

    def _item(self, call: Call, row: Row) -> str:
        if row.kind != "evaluations" or not call.flag("lastTenResults"):
            return self._core.answers.resource_text(row, call.form)
        results = self._core.store.children(row.name, "results")[:-11:-1]
        body = self._core.answers.resource(row, call.form)
        if results:
            body["lastTenResults"] = [self._core.answers.resource(result, call.form) for result in results]
        return encode(body)

    def _rows(self, call: Call, page: pages.Page, app: Row | None) -> list[Row]:
        """Return the rows of a page, plus one more if there is one."""
        parent, kind, count = call.target.parent, call.target.kind, page.size + 1
        terms = self._terms(call)
        order = page.order.partition(" ")[0]
        added: list[Row] = []
        if kind == "tools" and app and asked_for(call.query.get("filter", "")):
            added = system_tools(app)
        lagging = kind == "changelogs" and self._core.switches.change_log_lag
        plain = not (terms or added or call.stale or lagging) and order not in pages.BODY_ORDERS
        if plain and parent.rpartition("/")[2] != _ANY:
            self._check_above(call)
            return self._core.store.page(parent, kind, page.order, page.after, count)
        found = pages.following(page, [*added, *self._everything(call)], self._order_key)
        return [row for row in found if all(term(row) for term in terms)][:count]

    def _check_above(self, call: Call) -> None:
        """Raise Refused if the evaluation of the requested results does not exist."""
        if call.target.kind == "results":
            self._core.lookup.resource(call.target.parent)

    def _everything(self, call: Call) -> list[Row]:
        """Return all rows of a collection, or of that collection below all parents (`-`)."""
        parent, kind = call.target.parent, call.target.kind
        if parent.rpartition("/")[2] == _ANY:
            return self._core.store.below(parent.rpartition("/")[0], kind)
        self._check_above(call)
        lag = self._core.switches.change_log_lag if kind == "changelogs" else 0
        rows = self._core.store.before(parent, kind, call.stale)
        return rows[:-lag] if lag else rows

    def _terms(self, call: Call) -> list[filters.Predicate]:
        kind = call.target.kind
        anything = self._core.switches.filter_fields == "any"
        terms = []
        for parameter in _FILTERS:
            text = call.query.get(parameter, "").strip()
            about_system_tools = kind == "tools" and asked_for(text) is not None
            if not text or about_system_tools:
                continue
            fields = filters.fields_of(kind, parameter, anything=anything)
            term = filters.parsed(fields, parameter, text)
            terms.append(self._of_runs(call, term) if parameter == "evaluationRunFilter" else term)
        if kind == "conversations":
            terms.append(conversations.of_sources(call, self._core.switches))
        return terms

    def _of_runs(self, call: Call, holds: filters.Predicate) -> filters.Predicate:
        """Return the predicate of evaluations that were part of a run for which `holds` is true."""
        runs = self._core.store.children(call.target.parent, "evaluationRuns")
        took_part = {
            result.rsplit("/", 2)[0]
            for run in runs
            if holds(run)
            for result in run.body.get("evaluationResults", [])
        }
        return lambda row: row.name in took_part

    def _order_key(self, row: Row, column: str) -> Any:
        special = _ORDERS.get(column)
        return pages.column_of(row, column) if special is None else special(self, row)

    def _next_execution(self, row: Row) -> str:
        return str(row.body.get("nextScheduledExecutionTime", ""))

    def _last_run(self, row: Row) -> str:
        run = self._core.store.get(row.body.get("lastCompletedRun", ""))
        return run.create_time if run else ""


_ORDERS: dict[str, Callable[[Reading, Row], str]] = {
    "next_scheduled_execution": Reading._next_execution,
    "last_completed_run.create_time": Reading._last_run,
}
