"""Planning: load, connect, read, plan, guard, check the policy. The connection is read-only."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from cesplan.config.source import made_now, read_source
from cesplan.config.suggestions import nearest, refuse_unmatched
from cesplan.config.tree.load import Loaded
from cesplan.domain.desired import Desired, Source
from cesplan.domain.errors import UsageError
from cesplan.domain.features.app_list import ListedApp
from cesplan.domain.frozen import dataclass
from cesplan.domain.lazily import lazily
from cesplan.domain.live import Live, LiveResource
from cesplan.domain.options import NO_ALLOWANCES, NO_OPTIONS, Allowances, PlanOptions
from cesplan.domain.plan import Action, Plan, Reason
from cesplan.engine.comparing.value_redactor import ValueRedactor
from cesplan.engine.planning import plan as planning
from cesplan.engine.planning.context import context_of
from cesplan.engine.planning.guard import guard
from cesplan.engine.planning.versions.repeated import wants_newest
from cesplan.remote.client import Client
from cesplan.workflow.connecting import GOOGLE, Connection, connected
from cesplan.workflow.reading import read_live, whole_versions, with_newest_versions
from cesplan.workflow.secret_values import with_secrets
from cesplan.workflow.validating import desired_of, validate

if TYPE_CHECKING:
    from cesplan.features.export_layout.load import Destination
    from cesplan.features.policy.check import Releases

with lazily():  # most plans change nothing, and need none of these
    from cesplan.engine.planning.versions import unrecorded
    from cesplan.features.app_list import standing
    from cesplan.features.former_apps import plan as former_apps
    from cesplan.features.history import edit_log, live_edits, location_edits, sources
    from cesplan.features.impact import plan as impact
    from cesplan.features.policy import check as policy
    from cesplan.features.releases import held, policy_facts
    from cesplan.features.typed_diffs import verdicts as typed_diffs
    from cesplan.features.weakening import weakening
    from cesplan.workflow.evidence import evidence_file


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """A plan with the guard's refusals in it, and what it was made from."""

    plan: Plan
    live: Live
    loaded: Loaded
    takeable: tuple[ListedApp, ...] = ()
    """Existing live apps that the user may have meant instead of the apps that a first plan creates."""


def plan(
    root: Path,
    *,
    environment: str = "",
    variables: Mapping[str, str] | None = None,
    options: PlanOptions = NO_OPTIONS,
    allowances: Allowances = NO_ALLOWANCES,
    connection: Connection = GOOGLE,
    destination: "Destination | None" = None,
) -> Planned:
    """
    The changes that would make live match the tree around a folder, or with a `destination`, an export.
    Raises InvalidConfiguration for a tree with errors, and errors of the service (`cesplan.domain.errors`).
    """
    loaded = validate(root, environment=environment, variables=variables, destination=destination)
    return plan_loaded(loaded, options=options, allowances=allowances, connection=connection)


def plan_loaded(
    loaded: Loaded,
    *,
    options: PlanOptions = NO_OPTIONS,
    allowances: Allowances = NO_ALLOWANCES,
    connection: Connection = GOOGLE,
) -> Planned:
    """The same for a tree that has been read."""
    desired_of(loaded)
    loaded = with_secrets(loaded, connection)
    found = desired_of(loaded)
    found = replace(found, settings=connection.at(found.settings))
    desired = _from_git(found, loaded, options.commit)
    _check_resend(desired, options.resend)
    with connected(connection, desired.settings, read_only=True, secrets=desired.secrets) as client:
        live, plan = read_and_plan(desired, client, options)
        if plan.operations:
            plan = _with_live_edits(plan, desired, live, options, loaded, client)
            plan = impact.with_impact(weakening.with_weakening(typed_diffs.with_typed_diffs(plan)))
        plan = _with_notices_of_reading(plan, live)
        plan = _with_held(plan, desired, live, options, client)
        if live.unclaimed:
            plan, live = former_apps.with_former_apps(plan, desired, live, options, allowances, client)
        runs = policy.runs_of(plan, loaded.policy, desired, live, client) if loaded.policy else {}
        plan = replace(plan, requests=client.requests)
    _check_choice(desired, plan)
    plan = _with_source_notice(plan, desired.source, options)
    notices = (
        *_unknown_deletes(desired, plan, "--force", options.force),
        *_unknown_deletes(desired, plan, "--allow-delete", allowances.delete),
    )
    could_mean, words = _takeable(plan, desired, live)
    plan = replace(plan, notices=(*plan.notices, *words, *notices))
    refusals = (*plan.refusals, *guard(plan, live, allowances))
    plan = replace(plan, refusals=refusals, allowances=allowances)
    if loaded.policy or allowances.policy:
        releases = _releases_of(plan, desired, loaded)
        plan = policy.police(plan, loaded.policy, allowances, runs, releases)
    plan = replace(plan, made=made_now(desired.source))
    return Planned(plan=plan, live=live, loaded=loaded, takeable=could_mean)


def _takeable(plan: Plan, desired: Desired, live: Live) -> tuple[tuple[ListedApp, ...], tuple[str, ...]]:
    """The live apps that the user may have meant, and a notice about them, if no app of the tree is live."""
    if live.apps or not live.unclaimed:
        return (), ()
    found = standing.takeable_apps(desired, live)
    return found, (standing.takeable_notice(found, desired, ValueRedactor(plan.secrets)),) if found else ()


def _releases_of(plan: Plan, desired: Desired, loaded: Loaded) -> "Releases":
    """The evidence of releases for the deployments that a plan changes, which the policy may read."""
    owners = {f"{app.key}/{item.held}": item for app in desired.apps for item in app.releases}
    changed = {str(item.address) for item in plan.shown} & owners.keys()
    if not changed or loaded.root is None:
        return {}
    environment, now = desired.settings.environment, datetime.now(UTC)
    return {
        name: policy_facts.release_facts(
            owner, evidence_file.read_file(evidence_file.default_path(loaded.root, owner, environment)), now
        )
        for name, owner in sorted(owners.items())
        if name in changed
    }


def _with_held(plan: Plan, desired: Desired, live: Live, options: PlanOptions, client: Client) -> Plan:
    """The plan with what releases hold: the traffic of each deployment, and who edited it."""
    releases = tuple(item for app in desired.apps for item in app.releases)
    if not releases:
        return plan
    notices: list[str] = []
    redactor = ValueRedactor(plan.secrets)
    for app in desired.apps:
        if app.releases and app.key in live.apps and app.key not in live.unclear:
            context = context_of(app, desired, live, options, redactor)
            log = edit_log.EditLog(client, live.apps[app.key].app.name, context.stamp)
            notices += [item.text for item in held.held_of(context, log) if item.text]
    return replace(held.with_notes(plan, releases), notices=(*plan.notices, *notices))


def read_and_plan(
    desired: Desired, client: Client, options: PlanOptions, listed: Sequence[LiveResource] | None = None
) -> tuple[Live, Plan]:
    """
    Read and plan; again with the newest versions if a new one might only repeat them. Versions that no complete
    apply has recorded are read before a deployment starts to serve them. `listed` are the live apps that can
    match, if already listed.
    """
    live = read_live(desired, client, listed, quick=options.quick)
    plan = planning.plan(desired, live, options)
    repeated = [key for key in wants_newest(plan) if key in live.apps]
    if repeated:
        live = with_newest_versions(live, repeated, client)
        plan = planning.plan(desired, live, options)
    if not plan.unrecorded:
        return live, plan
    wholes = whole_versions(plan, client)
    adopt = options.adopt or desired.settings.adopt
    plan = unrecorded.with_unlike_versions(plan, live.apps, wholes, adopt=adopt)
    return live, replace(plan, requests=client.requests)


def _with_live_edits(
    plan: Plan, desired: Desired, live: Live, options: PlanOptions, loaded: Loaded, client: Client
) -> Plan:
    """The plan with the live edits since the last apply and their authors."""
    where = sources.Sources.of(loaded, client)
    explained = live_edits.with_live_edits(plan, desired, live, options, where)
    apps = [item.app for item in live.apps.values()]
    return location_edits.with_location_edits(explained, desired, apps, where)


def _with_notices_of_reading(plan: Plan, live: Live) -> Plan:
    quick = any(not why for why in live.by_log.values())
    return replace(plan, notices=(*plan.notices, *notices_of_reading(live)), quick=quick)


def notices_of_reading(live: Live) -> Iterator[str]:
    """Notices about how live was read."""
    for key in sorted(live.restless):
        yield f"{key} kept changing while it was read: plan again when the edits are done"
    for key, why in sorted(live.by_log.items()):
        yield (
            f"{key} was read in full despite --quick: {why}"
            if why
            else f"{key}: only what its change log names was read (--quick); a full plan reads everything"
        )


def _from_git(desired: Desired, loaded: Loaded, commit: str) -> Desired:
    """The tree with its commit, for the stamp."""
    return replace(desired, source=read_source(loaded.root, commit)) if loaded.root else desired


def _with_source_notice(plan: Plan, source: Source, options: PlanOptions) -> Plan:
    """The plan with notices about the commit that its stamp would name."""
    news = source.trouble
    if options.commit and source.dirty:
        news = (
            f"The tree differs from the tree of commit {source.commit[:12]}, and the stamp will say so: "
            "is the branch behind its target branch?"
        )
    is_stamped = any(item.reason is Reason.STAMP for item in plan.operations)
    return replace(plan, notices=(*plan.notices, news)) if news and is_stamped else plan


def _check_resend(desired: Desired, addresses: Iterable[str]) -> None:
    known = {str(item.address) for app in desired.apps for item in app.all()}
    unknown = sorted(set(addresses) - known)
    if unknown:
        raise UsageError(
            summary=f"The tree has no {unknown[0]}.",
            detail="Name the resource to resend by its address: <app>, or <app>/<kind>/<key>.",
        )


def _unknown_deletes(desired: Desired, plan: Plan, flag: str, addresses: Collection[str]) -> Iterator[str]:
    """
    Notices for addresses of a flag that are neither in the tree nor live; usually they are already deleted.
    Raises UsageError if one is close to an address that the flag could mean: a typo.
    """
    could_mean = {str(item.address) for item in plan.operations if item.action is Action.DELETE}
    could_mean |= {
        *(str(item.address) for item in plan.unmanaged),
        *map(str, plan.left_out),
        *plan.would_remove,
    }
    known = could_mean | {str(item.address) for app in desired.apps for item in app.all()}
    known |= {str(item.address) for item in plan.operations}
    for address in sorted(set(addresses) - known):
        if correction := _slip_of(address, could_mean - set(addresses)):
            raise UsageError(
                summary=f"{flag} {address}: no such resource in the tree or live. Did you mean `{correction}`?",
                detail="Name it by its address: <app>, or <app>/<kind>/<key>.",
            )
        yield f"{flag} {address} has no effect: it is neither in the tree nor live"


def _slip_of(address: str, known: Iterable[str]) -> str:
    """The address that differs slightly from this one, in only one part; empty if there is none."""
    parts = address.split("/")
    for other in sorted(known):
        if len(others := other.split("/")) == len(parts):
            unlike = [pair for pair in zip(parts, others, strict=True) if pair[0] != pair[1]]
            if len(unlike) == 1 and nearest(unlike[0][0], [unlike[0][1]]):
                return other
    return ""


def _check_choice(desired: Desired, plan: Plan) -> None:
    """Refuse a pattern that matches nothing: it is most likely a typo."""
    planned = {item.address for item in plan.operations} | {item.address for item in plan.unmanaged}
    refuse_unmatched(plan.choice, desired.addresses | planned | {*plan.left_out})
