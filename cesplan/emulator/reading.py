"""Get and list."""

from cesplan.emulator import filters, pages
from cesplan.emulator.answers import Answers, encode
from cesplan.emulator.calls import Call
from cesplan.emulator.contract import Contract
from cesplan.emulator.errors import Refused
from cesplan.emulator.lookup import Lookup
from cesplan.emulator.store import Row, Store
from cesplan.emulator.switches import Switches
from cesplan.emulator.systemtools import LIST_FILTER, system_tools

_FILTERS = ("filter", "evaluationFilter", "evaluationRunFilter")


class Reading:
    """The two standard methods that read; both return JSON text."""

    def __init__(
        self,
        store: Store,
        contract: Contract,
        switches: Switches,
        lookup: Lookup,
        answers: Answers,
    ) -> None:
        self._store = store
        self._contract = contract
        self._switches = switches
        self._lookup = lookup
        self._answers = answers

    def get(self, call: Call) -> str:
        return self._answers.resource_text(self._lookup.resource(call.target.name), call.form)

    def listing(self, call: Call) -> str:
        kind = self._contract.kinds[call.target.kind]
        app = self._lookup.parent(call.target)
        page = pages.asked_page(kind, call.target.parent, call.own_query(), self._switches)
        rows = self._rows(call, page, app)
        shown = rows[: page.size]
        items = ",".join(self._answers.resource_text(row, call.form) for row in shown)
        token = pages.next_token(page, shown[-1]) if len(rows) > page.size else ""
        tail = f',"nextPageToken":{encode(token)}' if token else ""
        if kind.collection == "apps" and self._switches.unreachable:
            tail += f',"unreachable":{encode(self._switches.unreachable)}'
            return f'{{"{kind.list_key}":[{items}]{tail}}}'
        return f'{{"{kind.list_key}":[{items}]{tail}}}' if shown else "{}"

    def _rows(self, call: Call, page: pages.Page, app: Row | None) -> list[Row]:
        """Return the rows of a page and one more, if there is one."""
        parent, kind, wanted = call.target.parent, call.target.kind, page.size + 1
        given = {name: call.query.get(name, "").strip() for name in _FILTERS}
        asked = {name: text for name, text in given.items() if text}
        if not asked:
            return self._store.page(parent, kind, page.order, page.after, wanted)
        added: list[Row] = []
        if kind == "tools" and asked.get("filter", "").replace(" ", "") == LIST_FILTER:
            added = system_tools(app) if app else []
            del asked["filter"]
        terms = [filters.parsed(kind, name, text) for name, text in asked.items()]
        rows = [*added, *self._store.page(parent, kind, page.order, None, -1)]
        found = pages.following(page, rows)
        return [row for row in found if all(term(row) for term in terms)][:wanted]


def refuse_unknown_query(call: Call, known: frozenset[str]) -> None:
    """Raise Refused for a query parameter that the method does not have."""
    for name in call.own_query():
        if name not in known:
            text = f"the method {call.rpc.name} has no such query parameter"
            raise Refused("INVALID_ARGUMENT", f"{name}: {text}")
