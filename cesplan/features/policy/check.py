"""
Policing: the project's rules over a plan. Denials refuse the plan; the rest needs approval or is only reported.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from cesplan.domain.address import AppKey
from cesplan.domain.desired import Desired
from cesplan.domain.errors import UsageError
from cesplan.domain.features.policy import Rule, RuleSeverity, approved
from cesplan.domain.live import Live
from cesplan.domain.naming import Naming
from cesplan.domain.options import Allowances
from cesplan.domain.plan import Plan
from cesplan.domain.resource_name import last_id
from cesplan.domain.value import Body, as_object
from cesplan.engine.comparing.match import match_resources
from cesplan.features.policy.defaults import with_defaults
from cesplan.features.policy.facts import plan_numbers, policy_facts
from cesplan.features.policy.language import NO_RELEASE, names_runs
from cesplan.features.policy.verdicts import TooMuchWork, rule_verdicts
from cesplan.model.kinds import kind_of
from cesplan.remote.client import Client

Runs: TypeAlias = Mapping[AppKey, Sequence[Mapping[str, Any]]]
"""The newest evaluation runs of each app, in the form that rules see."""

Releases: TypeAlias = Mapping[str, Mapping[str, Any]]
"""What releases have shown, by the addresses of their deployments."""

_NO_RUNS: Runs = {}
_NO_RELEASES: Releases = {}
_MOST_RUNS = 100
"""How many runs of an app rules see: a page, so that looking costs one request."""
_COUNTS = {"total": "totalCount", "passed": "passedCount", "failed": "failedCount", "errors": "errorCount"}
"""Our words for the members of EvaluationRun.Progress; absent is 0 there (proto3)."""


def runs_of(plan: Plan, rules: Sequence[Rule], desired: Desired, live: Live, client: Client) -> Runs:
    """The evaluation runs of the apps that a plan changes; they are read only if a rule names them."""
    is_named = any(names_runs(text) for rule in rules for text in (rule.when, rule.condition))
    if not is_named or desired.settings.api_version not in kind_of("evaluations").api_versions:
        return _NO_RUNS
    changed = {item.address.app for item in plan.shown}
    found = {}
    for app in desired.apps:
        if app.key in changed and (there := live.apps.get(app.key)) is not None:
            naming = match_resources(app, there, desired.settings.place).naming
            runs = client.list_runs(there.app.name, at_most=_MOST_RUNS)
            found[app.key] = [run_facts(run, naming) for run in runs]
    return found


def police(
    plan: Plan,
    rules: Sequence[Rule],
    allowances: Allowances,
    runs: Runs = _NO_RUNS,
    releases: Releases = _NO_RELEASES,
) -> Plan:
    """The plan with the verdicts of the policy. Raises UsageError if an approved rule does not exist."""
    unknown = sorted(allowances.policy - {rule.name for rule in rules})
    if unknown:
        known = ", ".join(rule.name for rule in rules) or "none"
        raise UsageError(
            summary=f"The policy has no rule `{unknown[0]}`.", detail=f"Rules in cesplan.yaml: {known}."
        )
    if not rules:
        return plan
    try:
        verdicts = approved(rule_verdicts(rules, _subjects(plan, runs, releases)), allowances.policy)
    except TooMuchWork as error:
        refusal = f"the policy cannot be evaluated: {error}; simplify the rules, or plan less with --target"
        return replace(plan, refusals=(*plan.refusals, refusal))
    denied = (item.text for item in verdicts if item.severity is RuleSeverity.DENY)
    return replace(plan, verdicts=verdicts, refusals=(*plan.refusals, *denied))


def run_facts(run: Body, naming: Naming) -> dict[str, Any]:
    """
    One run. References are written as in bodies: `versions/release-1`.

    `version` is empty for a run of the draft, `dataset` for one of single evaluations.
    """
    progress = as_object(run.get("progress"))
    counts = {name: int(progress.get(member) or 0) for name, member in _COUNTS.items()}
    return {
        "id": last_id(str(run["name"])),
        "display_name": str(run.get("displayName", "")),
        "time": str(run.get("createTime", "")),
        "state": str(run.get("state", "")),
        "version": naming.to_reference(str(run.get("appVersion", ""))),
        "dataset": naming.to_reference(str(run.get("evaluationDataset", ""))),
        "evaluations": [naming.to_reference(str(name)) for name in run.get("evaluations") or []],
        **counts,
    }


def _subjects(plan: Plan, runs: Runs, releases: Releases) -> Iterator[dict[str, Any]]:
    numbers = plan_numbers(plan)
    for facts in policy_facts(plan):
        sides = {side: with_defaults(facts["kind"], facts[side]) for side in ("before", "after")}
        yield {
            **facts,
            **sides,
            "plan": numbers,
            "runs": list(runs.get(AppKey(facts["app"]), ())),
            "release": dict(releases.get(facts["address"], NO_RELEASE)),
        }
