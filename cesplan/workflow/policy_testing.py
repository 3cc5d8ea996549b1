"""Testing the policy: the rules of a tree against the cases next to them, offline."""

from pathlib import Path

from cesplan.config.tree.load import Loaded
from cesplan.domain.diagnostic import Diagnostic, has_errors
from cesplan.domain.errors import CesplanError, InvalidConfiguration, UsageError
from cesplan.domain.features.policy import Proof, Rule
from cesplan.domain.frozen import dataclass
from cesplan.features.policy.cases import CASES_FILE, read_cases
from cesplan.features.policy.proof import prove
from cesplan.features.policy.verdicts import TooMuchWork
from cesplan.workflow.validating import validate

_POLICY_CODE = "CES111"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tested:
    """The rules, and the result of each case. `untested` are rules that no case expects to be violated."""

    rules: tuple[Rule, ...]
    proofs: tuple[Proof, ...]
    untested: tuple[str, ...]


def prove_policy(root: Path, *, environment: str = "") -> Tested:
    """
    Test the rules of the tree around a folder with its cases. Raises InvalidConfiguration for errors in rules
    or cases (other errors of the tree do not matter here), UsageError if either is missing, and CesplanError if
    they take too much work.
    """
    loaded = validate(root, environment=environment)
    _check(tuple(item for item in loaded.diagnostics if item.code == _POLICY_CODE or loaded.root is None))
    if not loaded.policy:
        raise UsageError(summary="cesplan.yaml has no policy.", detail="Add rules under the key `policy`.")
    cases, wrong = read_cases(_root(loaded), loaded.policy)
    _check(wrong)
    if not cases:
        raise UsageError(
            summary=f"There are no cases: {CASES_FILE} is missing or empty.",
            detail="`cesplan validate --explain CES112` shows an example.",
        )
    expected = {name for case in cases for name in case.expected}
    untested = tuple(rule.name for rule in loaded.policy if rule.name not in expected)
    try:
        proofs = prove(cases, loaded.policy)
    except TooMuchWork as error:
        raise CesplanError(summary=f"The policy cannot be evaluated: {error}.") from error
    return Tested(rules=loaded.policy, proofs=proofs, untested=untested)


def _check(diagnostics: tuple[Diagnostic, ...]) -> None:
    if has_errors(diagnostics):
        raise InvalidConfiguration(diagnostics=diagnostics)


def _root(loaded: Loaded) -> Path:
    assert loaded.root is not None  # a tree without one has no policy
    return loaded.root
