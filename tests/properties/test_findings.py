"""What the generators found, each as small as it gets; the laws that found them are in the other modules."""

from typing import Any

import pytest

from cesplan.domain.naming import Naming
from cesplan.domain.value import Body, Secret
from cesplan.engine.canonical_scalars import canonical_scalar
from cesplan.engine.normalizing import normalize
from cesplan.engine.pairing import element_key
from cesplan.model.kinds import kind_of
from cesplan.model.scalars import Scalar
from tests.properties.trees import APP, WHERE

NAMING = Naming(place=WHERE, app_id=APP)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("deployments", {"displayName": "Web", "channelProfile": {}}),
        ("scheduledEvaluationRuns", {"displayName": "Nightly", "request": {}}),
        ("tools", {"connectorTool": {"name": "pay", "connection": "projects/p/x/y", "action": {}}}),
        ("examples", {"displayName": "e", "messages": [{"chunks": [{"toolResponse": {"response": {}}}]}]}),
    ],
)
def test_a_required_object_is_kept_when_it_is_empty(kind: str, body: Body) -> None:
    """The service refuses a body that lacks a required message or Struct, and accepts an empty one."""
    assert normalize(kind_of(kind).spec, body, NAMING).body == body


@pytest.mark.parametrize("value", [1 / 3, 0.3333333333, 0.33333334, 16777217.0, 1e-45])
def test_a_32_bit_number_has_one_spelling(value: float) -> None:
    """The canonical spelling of a float is its own canonical spelling, however many digits were written."""
    once = canonical_scalar(Scalar.FLOAT, value)
    assert canonical_scalar(Scalar.FLOAT, once) == once
    assert canonical_scalar(Scalar.FLOAT, 0.3333333333) == 0.33333334


@pytest.mark.parametrize("value", [Secret(("crmKey",), "s3cret"), {"entityId": Secret(("crmKey",), "s3cret")}])
def test_a_secret_is_no_key_of_a_list(value: Any) -> None:
    """Keys stand in field paths, and paths are shown; live holds the secret in clear, so they never match."""
    actions = kind_of("toolsets").spec.fields["connectorToolset"].message.fields["connectorActions"]
    name = "connectionActionId" if isinstance(value, Secret) else "entityOperation"
    assert element_key(actions, {name: value}) is None
