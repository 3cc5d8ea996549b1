"""Get and list."""

from cesplan.emulator import filters, pages
from cesplan.emulator.answers import Answers, encode
from cesplan.emulator.calls import Call
from cesplan.emulator.contract import Contract
from cesplan.emulator.errors import Refused, invalid
from cesplan.emulator.lookup import Lookup
from cesplan.emulator.store import Row, Store
from cesplan.emulator.switches import Switches
from cesplan.emulator.systemtools import LIST_FILTER, system_tools


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
        extra = self._system_rows(call, app)
        page = pages.asked_page(kind, call.target.parent, call.own_query(), self._switches)
        rows = self._rows(call, page)
        shown = rows[: page.size]
        if page.after is None:
            shown = [*extra, *shown]
        items = ",".join(self._answers.resource_text(row, call.form) for row in shown)
        token = pages.next_token(page, shown[-1]) if len(rows) > page.size else ""
        tail = f',"nextPageToken":{encode(token)}' if token else ""
        return f'{{"{kind.list_key}":[{items}]{tail}}}' if shown else "{}"

    def _rows(self, call: Call, page: pages.Page) -> list[Row]:
        """Return the rows of a page and one more, if there is one."""
        parent, kind, wanted = call.target.parent, call.target.kind, page.size + 1
        text = call.query.get("filter", "").strip()
        if kind != "changelogs" or not text:
            return self._store.page(parent, kind, page.order, page.after, wanted)
        matches = filters.parsed(text)
        rows = self._store.page(parent, kind, page.order, page.after, -1)
        return [row for row in rows if matches(row)][:wanted]

    def _system_rows(self, call: Call, app: Row | None) -> list[Row]:
        """Return what a filter adds: system tools. Other filters are refused, see the package."""
        if call.target.kind == "changelogs":
            return []
        for name in ("filter", "evaluationFilter", "evaluationRunFilter"):
            text = call.query.get(name, "").replace(" ", "")
            if call.target.kind == "tools" and text == LIST_FILTER and app is not None:
                return system_tools(app)
            if text and text != LIST_FILTER.replace("true", "false"):
                raise invalid(name, f"'{text}' is not a filter that the emulator understands")
        return []


def refuse_unknown_query(call: Call, known: frozenset[str]) -> None:
    """Raise Refused for a query parameter that the method does not have."""
    for name in call.own_query():
        if name not in known:
            text = f"the method {call.rpc.name} has no such query parameter"
            raise Refused("INVALID_ARGUMENT", f"{name}: {text}")
