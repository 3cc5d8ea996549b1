"""The tools that read: each is one workflow call and a report of its result."""

import os
import shlex
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache

from cesplan.cli.commands.drift import exit_code_of
from cesplan.cli.commands.evaluate import CODES
from cesplan.cli.plan_options import COMMIT
from cesplan.cli.report_formats import FILE_VIEW
from cesplan.config.suggestions import refuse_unmatched
from cesplan.domain.address import Address, parse_address
from cesplan.domain.choice import Choice
from cesplan.domain.diagnostic import Severity
from cesplan.domain.errors import UsageError
from cesplan.domain.options import PlanOptions
from cesplan.domain.plan import Plan
from cesplan.domain.text.times import parse_since
from cesplan.features.drift.alarm.fingerprint import fingerprint
from cesplan.features.drift.filters import DriftFilter
from cesplan.features.drift.text_report import drift_text
from cesplan.features.impact.json_report import GraphReport
from cesplan.mcp import inputs, results
from cesplan.mcp.workspace import Call
from cesplan.model.editor_schemas.values import JsonSchema
from cesplan.render.machine.digests import plan_digest
from cesplan.render.machine.formats.diagnostics import ValidationReport
from cesplan.render.machine.formats.drift import DriftReportJson
from cesplan.render.machine.formats.evaluation import EvaluationReport
from cesplan.render.machine.formats.files import CodeListReport, CodeReport
from cesplan.render.machine.formats.plan import PlanReport
from cesplan.render.machine.formats.tree import TreeReport
from cesplan.render.text.plan import plan_text
from cesplan.workflow import planning, rendering, saving
from cesplan.workflow.drift.checking import DriftOptions, TreeToCheck, check_drift
from cesplan.workflow.evaluation.evaluating import list_runs, read_run
from cesplan.workflow.live_app.target import AppTarget
from cesplan.workflow.reference import explaining
from cesplan.workflow.reference.editor import file_schemas
from cesplan.workflow.validating import desired_of
from cesplan.workflow.views import graphing, since

_MOST_RUNS = 50
_COMMAND = "mcp"


def validate(call: Call, arguments: inputs.ValidateInput) -> results.ValidationResult:
    loaded = call.load(arguments.environment)
    report = ValidationReport.of(loaded.diagnostics, loaded.files)
    if not arguments.errors_only:
        return results.ValidationResult(report=report)
    errors = tuple(item for item in report.diagnostics if item.severity is Severity.ERROR)
    number = len(report.diagnostics)
    return results.ValidationResult(
        report=report.model_copy(update={"diagnostics": errors}),
        left_out=(f"report.diagnostics: {len(errors):,} of {number:,}, only errors",),
    )


def plan(call: Call, arguments: inputs.ShownPlanInput) -> results.PlanResult:
    result = planned(call, arguments)
    hints = {"For a person, to apply exactly this": _apply_command(call, arguments, result)}
    return shown_plan(result, arguments.show, hints if result.operations and not result.blockers else {})


def _apply_command(call: Call, arguments: inputs.PlanInput, plan: Plan) -> str:
    words = ["cesplan", "apply", "-C", str(call.workspace.root)]
    words += ["-e", plan.settings.environment] if plan.settings.environment else []
    words += [word for text in arguments.target for word in ("--target", text)]
    words += [word for text in arguments.exclude for word in ("--exclude", text)]
    words += ["--adopt"] if arguments.adopt else []
    return shlex.join([*words, "--expect", plan_digest(plan)])


def planned(call: Call, arguments: inputs.PlanInput) -> Plan:
    """The requested plan."""
    return planning.plan_loaded(
        call.load(arguments.environment),
        options=PlanOptions(
            adopt=arguments.adopt,
            choice=Choice(only=arguments.target, exclude=arguments.exclude),
            commit=os.environ.get(COMMIT, ""),
        ),
        connection=call.connection,
    ).plan


def shown_plan(plan: Plan, show: tuple[str, ...], hints: Mapping[str, str] = {}) -> results.PlanResult:
    """A plan with the requested changes. Raises UsageError for a pattern that matches none of them."""
    choice = Choice(only=show)
    report = PlanReport.of(plan)
    refuse_unmatched(choice, [item.address for item in report.resource_changes])
    kept = tuple(item for item in report.resource_changes if choice.includes(item.address))
    number = len(report.resource_changes)
    return results.PlanResult(
        text=plan_text(plan, FILE_VIEW, hints=hints),
        report=report.model_copy(update={"resource_changes": kept}),
        left_out=(f"report.resource_changes: {len(kept):,} of {number:,}, chosen by `show`",) if show else (),
    )


def plan_since(call: Call, arguments: inputs.SinceInput) -> results.PlanResult:
    loaded = since.load_offline(call.workspace.tree(arguments.environment))
    plan = since.plan_since(loaded, arguments.ref)
    return shown_plan(plan.plan, arguments.show)


def show_plan(call: Call, arguments: inputs.PlanFileInput) -> results.PlanResult:
    return shown_plan(saving.show(call.workspace.file(arguments.file)).plan, arguments.show)


def show_resources(call: Call, arguments: inputs.ResourcesInput) -> results.ResourcesResult:
    found = rendering.rendered(call.load(arguments.environment), Choice(only=arguments.addresses))
    pairs = ((item.resource, item.files) for item in found.resources)
    return results.ResourcesResult(report=TreeReport.of(found.settings, pairs))


def drift(call: Call, arguments: inputs.DriftInput) -> results.DriftResult:
    tree = TreeToCheck(tree=call.workspace.tree(arguments.environment), name=".", connection=call.connection)
    options = DriftOptions(
        apps=arguments.app,
        filter=DriftFilter(
            choice=Choice(only=arguments.target), since=_moment(arguments.since), authors=arguments.author
        ),
        quick=arguments.quick,
    )
    found = check_drift([tree], options, shared=call.shared)
    code = exit_code_of(found)
    report = DriftReportJson.of(found, exit_code=code, fingerprint=fingerprint(found), alarm_failures=[])
    return results.DriftResult(text=drift_text(found, FILE_VIEW, exit_code=code), report=report)


def _moment(text: str) -> datetime | None:
    try:
        return parse_since(text, datetime.now(UTC)) if text else None
    except ValueError as error:
        raise UsageError(summary=f"`since`: {error}.") from error


def graph(call: Call, arguments: inputs.GraphInput) -> results.GraphResult:
    loaded = call.load(arguments.environment)
    whole = (
        graphing.graph_of_live(loaded, connection=call.connection)
        if arguments.live
        else graphing.graph_of_tree(loaded)
    )
    found = graphing.part_of(whole, _address(arguments.address), everything=arguments.all)
    report = GraphReport.of(found.graph, found.settings, live=arguments.live)
    return results.GraphResult(notices=found.notices, report=report)


def _address(text: str) -> Address | None:
    try:
        return parse_address(text) if text else None
    except ValueError as error:
        raise UsageError(summary=f"`address`: {error}.") from error


def evaluation_runs(call: Call, arguments: inputs.RunsInput) -> results.RunsResult:
    found = list_runs(_app(call, arguments), at_most=_MOST_RUNS, connection=call.connection)
    return results.RunsResult(app=found.app, runs=tuple(map(results.RunJson.of, found.runs)))


def evaluation_results(call: Call, arguments: inputs.RunInput) -> results.RunResult:
    found = read_run(_app(call, arguments), arguments.run, connection=call.connection)
    return results.RunResult(report=EvaluationReport.of(found, exit_code=CODES[found.verdict]))


def _app(call: Call, arguments: inputs.RunsInput) -> AppTarget:
    """An app of the tree. Raises UsageError for any other app of the service."""
    keys = [app.key for app in desired_of(call.load(arguments.environment)).apps]
    if arguments.app and arguments.app not in keys:
        raise UsageError(
            summary=f"The tree has no app `{arguments.app}`.", detail=f"Apps: {', '.join(keys) or 'none'}."
        )
    return AppTarget(tree=call.workspace.tree(arguments.environment), command=_COMMAND, app=arguments.app)


def explain(call: Call, arguments: inputs.CodeInput) -> results.CodeResult:
    known = explaining.code_named(arguments.code)
    return results.CodeResult(report=CodeReport.from_value(known))


def list_codes(call: Call, arguments: inputs.Input) -> results.CodesResult:
    return results.CodesResult(report=CodeListReport.from_value(codes=explaining.all_codes().values()))


def schema(call: Call, arguments: inputs.SchemaInput) -> results.SchemaResult:
    if arguments.kind not in inputs.SCHEMA_KINDS:
        raise UsageError(
            summary=f"`{arguments.kind}` is not a kind of file.",
            detail=f"Kinds: {', '.join(inputs.SCHEMA_KINDS)}.",
        )
    file = f"{arguments.kind}.schema.json"
    return results.SchemaResult(file=file, json_schema=_schemas()[file])


@cache
def _schemas() -> dict[str, JsonSchema]:
    """The schemas, which stay the same while the server runs."""
    return file_schemas()
