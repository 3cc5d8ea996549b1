"""
JUnit XML: plans, applies, validations, and reports of features as test suites, for services that show tests.

Every resource is a test case. It fails if the plan refuses it, if its operation failed, or if its file has an
error.
Secrets are redacted earlier, and characters that XML cannot hold are escaped. There is no standard for JUnit
XML. Elements and attributes are those of the schema of Jenkins' xunit plugin (junit-10.xsd), and `file` of a
test case, which GitLab shows.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, assert_never
from xml.etree import ElementTree

from cesplan.domain.diagnostic import Diagnostic, Severity
from cesplan.domain.errors import CesplanError, Refused
from cesplan.domain.features.evaluation import EvaluationVerdict, Problem
from cesplan.domain.features.policy import RuleSeverity
from cesplan.domain.frozen import dataclass
from cesplan.domain.outcome import Applied, Failed, Outcome, Skipped, Unknown
from cesplan.domain.plan import Operation, Plan
from cesplan.domain.text.characters import COMMAND, HIDDEN
from cesplan.domain.text.words import sentence
from cesplan.render.plan_words import done_word, edit_of, reason_of
from cesplan.render.text.outcome import because_of

_ACTIVE = re.compile(rf"[{HIDDEN}]|{COMMAND}")
"""Characters that a terminal or a log would act on, as character references."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One test case; `failure`, `error`, and `skipped` are a headline and details; at most one is set."""

    group: str
    name: str
    file: str = ""
    seconds: float = 0.0
    failure: tuple[str, str] | None = None
    error: tuple[str, str] | None = None
    skipped: str = ""
    output: Sequence[str] = field(default_factory=tuple)


def judged_case(verdict: EvaluationVerdict, result: tuple[str, str], **members: Any) -> Case:
    """A test case with a verdict; an inconclusive one is an error, not a failure."""
    return Case(
        failure=result if verdict is EvaluationVerdict.FAILED else None,
        error=result if verdict is EvaluationVerdict.INCONCLUSIVE else None,
        **members,
    )


def problem_case(problem: Problem, **members: Any) -> Case:
    """A test case for an objection to a run as a whole."""
    return judged_case(problem.verdict, (problem.text, problem.text), **members)


def plan_junit(plan: Plan) -> str:
    """A plan: every operation is a case, failed if the policy rejects it; each refusal is another case."""
    against: dict[str, list[str]] = {}
    for verdict in plan.verdicts:
        if verdict.is_open or verdict.severity is RuleSeverity.DENY:
            against.setdefault(str(verdict.address), []).append(verdict.text)
    cases = [_planned(item, against.get(str(item.address), [])) for item in plan.shown]
    texts_seen = {text for texts in against.values() for text in texts}
    cases += [
        Case(group="guard", name=f"refusal {number}", failure=(reason.split("\n")[0], reason))
        for number, reason in enumerate((item for item in plan.blockers if item not in texts_seen), 1)
    ]
    return suite("cesplan plan", cases)


def outcomes_junit(outcomes: Sequence[Outcome]) -> str:
    """An apply: every operation is a case."""
    return suite("cesplan apply", [_outcome(item) for item in outcomes])


def validation_junit(diagnostics: Sequence[Diagnostic], files: Mapping[str, str]) -> str:
    """A validation: every file is a case, named by its resource. `files` are paths of files → addresses."""
    by_file: dict[str, list[Diagnostic]] = {path: [] for path in sorted(files)}
    for item in sorted(diagnostics, key=lambda item: item.sort_key):
        by_file.setdefault(item.place.file if item.place else "", []).append(item)
    cases = [_file(path, files.get(path, ""), found) for path, found in by_file.items()]
    return suite("cesplan validate", cases)


def error_junit(command: str, error: CesplanError) -> str:
    """A command that ended in an error: one case."""
    reasons = error.reasons if isinstance(error, Refused) else ()
    case = Case(group="cesplan", name=command, error=(error.summary, "\n".join((str(error), *reasons))))
    return suite(f"cesplan {command}", [case])


def _planned(operation: Operation, against: list[str]) -> Case:
    return _case_of(
        operation,
        failure=(against[0], "\n".join(against)) if against else None,
        output=(
            *filter(None, (sentence(operation.undoes),)),
            *(f"{item.path}: {edit_of(item)}" for item in operation.changes if item.edit is not None),
            reason_of(operation),
            *(str(path) for path in operation.mask),
        ),
    )


def _outcome(outcome: Outcome) -> Case:
    operation = outcome.operation
    match outcome:
        case Applied():
            stray = ("not converged", "\n".join(outcome.not_converged)) if outcome.not_converged else None
            output = [done_word(outcome), *filter(None, [outcome.note])]
            return _case_of(operation, seconds=outcome.seconds, failure=stray, output=output)
        case Failed() | Unknown():
            tag = "failure" if isinstance(outcome, Failed) else "error"
            said = {tag: (outcome.error.summary, str(outcome.error))}
            return _case_of(operation, seconds=outcome.seconds, output=[reason_of(operation)], **said)
        case Skipped():
            return _case_of(operation, skipped=because_of(outcome), output=[reason_of(operation)])
        case _:
            assert_never(outcome)


def _case_of(operation: Operation, **members: Any) -> Case:
    name = f"{operation.action} {operation.address}"
    return Case(group=operation.address.kind, name=name, file=operation.file, **members)


def _file(path: str, address: str, found: list[Diagnostic]) -> Case:
    errors = [item for item in found if item.severity is Severity.ERROR]
    return Case(
        group="tree",
        name=address or path or "tree",
        file=path,
        failure=(_headline(errors[0]), "\n\n".join(map(_words, errors))) if errors else None,
        output=[_words(item) for item in found if item.severity is not Severity.ERROR],
    )


def _headline(item: Diagnostic) -> str:
    return f"{item.code}: {item.summary}" if item.code else item.summary


def _words(item: Diagnostic) -> str:
    rows = [f"{item.severity}[{item.code}] {item.summary}"]
    rows += [str(item.place)] if item.place else []
    rows += [f"did you mean {item.suggestion}?"] if item.suggestion else []
    return "\n".join([*rows, *([item.detail] if item.detail else [])])


def suite(name: str, cases: Sequence[Case]) -> str:
    """The XML of one suite."""
    numbers = _numbers(cases)
    of_all = {key: value for key, value in numbers.items() if key != "skipped"}  # no schema allows it there
    root = ElementTree.Element("testsuites", {"name": name, **of_all})
    suite = ElementTree.SubElement(root, "testsuite", {"name": name, **numbers})
    for case in cases:
        suite.append(_case(case))
    ElementTree.indent(root)
    text = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{_ACTIVE.sub(_referenced, text)}\n'


def _numbers(cases: Sequence[Case]) -> dict[str, str]:
    return {
        "tests": str(len(cases)),
        "failures": str(sum(case.failure is not None for case in cases)),
        "errors": str(sum(case.error is not None for case in cases)),
        "skipped": str(sum(bool(case.skipped) for case in cases)),
        "time": _time(sum(case.seconds for case in cases)),
    }


def _case(case: Case) -> ElementTree.Element:
    attributes = {"classname": case.group, "name": case.name, "time": _time(case.seconds)}
    attributes |= {"file": case.file} if case.file else {}
    element = ElementTree.Element("testcase", {key: _xml(value) for key, value in attributes.items()})
    for tag, said in (("failure", case.failure), ("error", case.error)):
        if said is not None:
            inner = ElementTree.SubElement(element, tag, {"message": _xml(said[0]), "type": tag})
            inner.text = _xml(said[1])
    if case.skipped:
        ElementTree.SubElement(element, "skipped", {"message": _xml(case.skipped)})
    if case.output:
        ElementTree.SubElement(element, "system-out").text = _xml("\n".join(case.output))
    return element


def _time(seconds: float) -> str:
    return f"{seconds:.3f}"


def _xml(text: str) -> str:
    """A text in which characters that XML 1.0 cannot hold are escaped, as in `\\u0000`."""
    return "".join(sign if _is_allowed(ord(sign)) else f"\\u{ord(sign):04x}" for sign in text)


def _referenced(found: re.Match[str]) -> str:
    return "".join(f"&#{ord(sign)};" for sign in found[0])


def _is_allowed(code: int) -> bool:
    """https://www.w3.org/TR/xml/#charsets"""
    return code in (0x9, 0xA, 0xD) or 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or code >= 0x10000
