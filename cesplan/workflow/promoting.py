"""Promoting: two environments of one tree side by side, and the plan for the second."""

from dataclasses import replace

from cesplan.config.tree.load import Loaded
from cesplan.domain.features.promotion import Difference, Promotion
from cesplan.domain.options import NO_ALLOWANCES, NO_OPTIONS, Allowances, PlanOptions
from cesplan.engine.comparing.value_redactor import ValueRedactor
from cesplan.features.promotion.compare import State, desired_state, differences, live_state, redactor_for
from cesplan.features.typed_diffs.verdicts import DiffReader
from cesplan.model.kinds import kind_of
from cesplan.render.field_redactor import redactor_over
from cesplan.workflow.connecting import GOOGLE, Connection, connected
from cesplan.workflow.planning import Planned, plan_loaded
from cesplan.workflow.reading import read_live
from cesplan.workflow.secret_values import with_secrets
from cesplan.workflow.validating import desired_of


def compared(
    source: Loaded, target: Loaded, *, live: bool = False, connection: Connection = GOOGLE
) -> Promotion:
    """
    The differences between two environments: in the tree, or with `live` between the live resources of both.
    Raises InvalidConfiguration for a tree with errors, and with `live` errors of the service.
    """
    if live:
        source, target = (with_secrets(item, connection) for item in (source, target))
    one, other = desired_of(source), desired_of(target)
    redactor = redactor_for(one, other)
    if live:
        states = [_live(item, connection, redactor) for item in (source, target)]
    else:
        states = [desired_state(item, redactor) for item in (one, other)]
    found, equal = differences(*states)
    reading = DiffReader()
    return Promotion(
        source=connection.at(one.settings),
        target=connection.at(other.settings),
        differences=tuple(_read(item, states[0], states[1], reading) for item in found),
        equal=equal,
        is_live=live,
    )


def _read(item: Difference, source: State, target: State, reading: DiffReader) -> Difference:
    """A difference with the verdicts on its texts and schemas."""
    kind = item.address.kind
    sides = (state.bodies.get(item.address) for state in (source, target))
    before, after = (side.body if side else {} for side in sides)
    redactor = redactor_over(kind_of(kind).spec, item.secrets)
    return replace(item, changes=reading.read_all(item.changes, kind, before, after, redactor))


def promote(
    source: Loaded,
    target: Loaded,
    *,
    live: bool = False,
    options: PlanOptions = NO_OPTIONS,
    allowances: Allowances = NO_ALLOWANCES,
    connection: Connection = GOOGLE,
) -> tuple[Promotion, Planned]:
    """The comparison, and the plan for the target. Writes nothing."""
    promotion = compared(source, target, live=live, connection=connection)
    planned = plan_loaded(target, options=options, allowances=allowances, connection=connection)
    return promotion, planned


def _live(loaded: Loaded, connection: Connection, redactor: ValueRedactor) -> State:
    desired = desired_of(loaded)
    settings = connection.at(desired.settings)
    with connected(connection, settings, read_only=True, secrets=desired.secrets) as client:
        return live_state(desired, read_live(desired, client), redactor)
