"""A request after routing, as every handler gets it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cesplan.emulator.contract import Rpc
from cesplan.emulator.errors import Refused, invalid
from cesplan.emulator.http.encoding import Form
from cesplan.emulator.schema.names import Target

# Parameters of every method (discovery, `parameters`), and what Google's clients add.
STANDARD_QUERY = frozenset(
    {
        *("$alt", "alt", "$.xgafv", "access_token", "callback", "fields", "$fields", "key"),
        *("oauth_token", "prettyPrint", "$prettyPrint", "quotaUser"),
        *("upload_protocol", "uploadType"),
    }
)
# The only parameter of kinds that can be repeated.
_REPEATED = frozenset({"sources"})
_JSON = "json"
_TRUE = {"true": True, "false": False, "": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    rpc: Rpc
    target: Target
    author: str
    query: Mapping[str, str] = field(default_factory=dict)
    pairs: Sequence[tuple[str, str]] = ()
    body: Any = None
    # A fault: a list is returned as it was before this many writes.
    stale: int = 0

    @property
    def form(self) -> Form:
        """Return the requested form of the response."""
        return Form(version=self.target.version, int_enums="enum-encoding=int" in self._alt())

    def _alt(self) -> str:
        return self.query.get("$alt", self.query.get("alt", "")) or _JSON

    def flag(self, name: str) -> bool:
        """Return a boolean query parameter. Raise Refused for an invalid one."""
        text = self.query.get(name, "")
        if text not in _TRUE:
            raise invalid(name, f"'{text}' is neither true nor false")
        return _TRUE[text]

    def all(self, name: str) -> list[str]:
        """Return all values of a query parameter that can be repeated."""
        return [value for key, value in self.pairs if key == name]

    def own_query(self) -> dict[str, str]:
        """Return the query without the standard parameters of all methods."""
        return {key: value for key, value in self.query.items() if key not in STANDARD_QUERY}

    def refuse_query_beside(self, known: frozenset[str]) -> None:
        """Raise Refused for a query parameter that the method does not have, or that must not be repeated."""
        if self._alt().partition(";")[0] != _JSON:
            raise invalid("alt", f"'{self._alt()}': the emulator answers in JSON")
        if len(self.pairs) > len(self.query):
            self._refuse_repeated()
        for name in self.own_query():
            if name not in known:
                text = f"the method {self.rpc.name} has no such query parameter"
                raise Refused("INVALID_ARGUMENT", f"{name}: {text}")

    def _refuse_repeated(self) -> None:
        names = [name for name, _ in self.pairs]
        for name in names:
            if names.count(name) > 1 and name not in _REPEATED:
                raise invalid(name, "it is given more than once")
