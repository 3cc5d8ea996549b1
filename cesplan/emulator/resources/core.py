"""The objects that all parts of the service share, created once for one store."""

from dataclasses import dataclass
from typing import Self

from cesplan.emulator.http.encoding import Answers
from cesplan.emulator.resources.aftermath import Aftermath
from cesplan.emulator.resources.operations import Operations
from cesplan.emulator.resources.write_methods import Writing
from cesplan.emulator.resources.writer import Clock, Writer
from cesplan.emulator.rules.lookup import Lookup
from cesplan.emulator.rules.rules import Rules
from cesplan.emulator.schema.messages import Checker
from cesplan.emulator.storage.store import Store
from cesplan.emulator.switches import Switches


@dataclass(frozen=True, slots=True, kw_only=True)
class Core:
    """The store and the rules around it."""

    store: Store
    switches: Switches
    clock: Clock
    checker: Checker
    answers: Answers
    lookup: Lookup
    rules: Rules
    writer: Writer
    aftermath: Aftermath
    writing: Writing
    operations: Operations

    @classmethod
    def over(cls, store: Store, switches: Switches) -> Self:
        """Return the core for this store."""
        clock = Clock()
        checker = Checker(proto_names=switches.proto_names == "accept")
        answers = Answers(switches)
        lookup = Lookup(store, switches)
        rules = Rules(store, switches, lookup)
        writer = Writer(store, answers, switches, clock)
        aftermath = Aftermath(store, lookup, writer)
        return cls(
            store=store,
            switches=switches,
            clock=clock,
            checker=checker,
            answers=answers,
            lookup=lookup,
            rules=rules,
            writer=writer,
            aftermath=aftermath,
            writing=Writing(store, switches, checker, lookup, rules, writer, aftermath),
            operations=Operations(store, answers, switches, clock, checker),
        )
