"""Two spellings of one value are equal in canonical form, and two values are not."""

from pathlib import Path
from typing import Any

import pytest

from cesplan.domain.field_path import Entry, FieldPath, Index
from cesplan.domain.naming import Naming
from cesplan.domain.resource_name import Place
from cesplan.domain.value import Secret, canonical_text
from cesplan.engine.comparing.normalize import live_references, normalize, references
from cesplan.engine.comparing.scalars import canonical_free_form, canonical_scalar
from cesplan.model.kinds import kind_of
from cesplan.model.scalars import Scalar
from cesplan.workflow.validating import desired_of, validate
from tests.unit.engine.builders import NAMING, name

EXAMPLES = Path(__file__).parents[4] / "examples"


def canonical(kind: str, body: dict[str, Any], naming: Naming = NAMING) -> dict[str, Any]:
    return normalize(kind_of(kind).spec, body, naming).body


@pytest.mark.parametrize(
    ("scalar", "spellings"),
    [
        (Scalar.INT64, ["7", 7, 7.0]),
        (Scalar.INT32, [3, 3.0]),
        (Scalar.DOUBLE, [1, 1.0, 1e0]),
        (Scalar.FLOAT, [0.1, 0.10000000149011612]),
        (Scalar.DURATION, ["3.5s", "3.500s", "3.500000000s", "03.5s"]),
        (Scalar.DURATION, ["0s", "0.0s", "-0s"]),
        (Scalar.TIMESTAMP, ["2026-01-02T03:04:05Z", "2026-01-02T04:04:05+01:00", "2026-01-02T03:04:05.000Z"]),
        (Scalar.BYTES, ["+/8=", "-_8", "-_8="]),
    ],
)
def test_spellings_of_one_scalar_are_equal(scalar: Scalar, spellings: list[Any]) -> None:
    """Numbers, durations, timestamps and bytes have one canonical spelling each."""
    assert len({canonical_text(canonical_scalar(scalar, value)) for value in spellings}) == 1


@pytest.mark.parametrize(
    ("scalar", "one", "other"),
    [
        (Scalar.FLOAT, 0.1, 0.10001),
        (Scalar.DOUBLE, 0.1, 0.10000000149011612),
        (Scalar.DURATION, "3.5s", "35s"),
        (Scalar.TIMESTAMP, "2026-01-02T03:04:05Z", "2026-01-02T03:04:05+01:00"),
        (Scalar.STRUCT, {"a": True}, {"a": 1}),
        (Scalar.STRUCT, {"a": None}, {}),
        (Scalar.STRUCT, {"a": "1"}, {"a": 1}),
    ],
)
def test_different_scalars_stay_different(scalar: Scalar, one: Any, other: Any) -> None:
    """A canonical spelling never merges two values."""
    assert canonical_text(canonical_scalar(scalar, one)) != canonical_text(canonical_scalar(scalar, other))


def test_numbers_in_free_form_values_are_spelled_one_way_all_through() -> None:
    """`1` and `1.0` are one number wherever they are in a Struct; booleans are none."""
    assert canonical_free_form({"a": [1.0, {"b": 2.0}], "c": True}) == {"a": [1, {"b": 2}], "c": True}


@pytest.mark.parametrize("value", ["not a duration", 17, None, {"seconds": 3}])
def test_a_value_of_another_form_stays_as_it_is(value: Any) -> None:
    """Judging values is not the business of comparing."""
    assert canonical_scalar(Scalar.DURATION, value) == value


def test_defaults_of_fields_without_presence_fall_away() -> None:
    """Empty text, zero, false, the unspecified enum value, `[]` and `{}` equal absence."""
    body = {
        "displayName": "Desk",
        "instruction": "",
        "tools": [],
        "modelSettings": {},
        "description": None,
    }
    assert canonical("agents", body) == {"displayName": "Desk"}


def test_fields_with_presence_keep_their_default() -> None:
    """A temperature of zero is not the default temperature, and `llmAgent: {}` is a choice."""
    body = {"llmAgent": {}, "modelSettings": {"temperature": 0}}
    assert canonical("agents", body) == {"llmAgent": {}, "modelSettings": {"temperature": 0}}


def test_empty_messages_that_mean_something_stay() -> None:
    """An empty metric override disables the metric; an absent one is the default."""
    step = {"expectation": {"agentResponse": {}, "agentResponseHallucinationMetricsConfigOverride": {}}}
    body = {"golden": {"turns": [{"steps": [step]}]}}
    assert canonical("evaluations", body) == body


def test_empty_elements_of_lists_are_elements() -> None:
    assert canonical("examples", {"messages": [{}, {"role": "user"}]}) == {"messages": [{}, {"role": "user"}]}


def test_transport_and_output_only_fields_fall_away() -> None:
    body = {"name": name("tools/lookup"), "etag": "x", "createTime": "2026-01-01T00:00:00Z", "displayName": "n"}
    assert canonical("tools", body) == {}


def test_references_become_kind_and_key() -> None:
    """Project number, project id and key name one resource; names outside keep their form."""
    naming = Naming(
        place=Place(project="acme", location="us"),
        app_id="shop-desk",
        keys={("tools", "7f3a"): "lookup-order"},
        project_aliases=frozenset({"123456"}),
    )
    tools = [
        "projects/123456/locations/us/apps/shop-desk/tools/7f3a",
        "projects/acme/locations/us/apps/shop-desk/tools/end_session",
        "tools/lookup-order",
    ]
    assert canonical("agents", {"tools": tools}, naming)["tools"] == [
        "tools/lookup-order",
        "tools/end_session",
        "tools/lookup-order",
    ]
    other = "projects/123456/locations/us/apps/another/tools/7f3a"
    assert canonical("agents", {"tools": [other]}, naming)["tools"] == [
        "projects/acme/locations/us/apps/another/tools/7f3a"
    ]


def test_a_live_id_that_looks_like_another_key_is_marked() -> None:
    """The key `orders` belongs to another id, so the live id `orders` is written `@orders`."""
    naming = Naming(place=NAMING.place, app_id="shop-desk", ids={("agents", "orders"): "9c1e"})
    found = canonical("agents", {"childAgents": [name("agents/orders")]}, naming)
    assert found == {"childAgents": ["agents/@orders"]}
    assert naming.to_name("agents/@orders") == name("agents/orders")


def test_unknown_fields_and_enum_values_are_kept_apart() -> None:
    """What is newer than the model is reported with its place, never mixed into the canonical body."""
    body = {"brandNew": {"x": 1}, "transferRules": [{"direction": "SIDEWAYS", "novelty": 2}]}
    found = normalize(kind_of("agents").spec, body, NAMING)
    rules = FieldPath() / "transferRules" / Index(0)
    assert found.unknown == (
        (FieldPath() / "brandNew", {"x": 1}),
        (rules / "direction", "SIDEWAYS"),
        (rules / "novelty", 2),
    )
    assert found.body == {"transferRules": [{"direction": "SIDEWAYS"}]}


def test_what_was_written_as_empty_is_remembered() -> None:
    """With declared ownership `enabled: false` says something although it equals absence."""
    found = normalize(kind_of("guardrails").spec, {"enabled": False, "description": None}, NAMING)
    assert found.body == {}
    assert found.named == {FieldPath() / "enabled", FieldPath() / "description"}


def test_a_null_in_the_metadata_names_its_key() -> None:
    found = normalize(kind_of("apps").spec, {"metadata": {"team": None, "cost": "7"}}, NAMING)
    assert found.body == {"metadata": {"cost": "7"}}
    assert found.named == {FieldPath() / "metadata" / Entry("team")}


def test_input_only_fields_are_sent_and_never_compared() -> None:
    credentials = {"authCode": Secret(("code",), "s3cret")}
    found = normalize(kind_of("deployments").spec, {"instagramCredentials": credentials}, NAMING)
    assert found.body == {}
    assert found.input_only == {"instagramCredentials": credentials}


def test_integer_enums_and_the_other_name_of_a_field_are_read() -> None:
    assert canonical("tools", {"executionType": 2})["executionType"] == "ASYNCHRONOUS"
    assert canonical("tools", {"agentTool": {"rootAgent": name("agents/orders")}}) == {
        "agentTool": {"agent": "agents/orders"}
    }


def test_language_codes_in_map_keys_have_no_case() -> None:
    body = {"audioProcessingConfig": {"synthesizeSpeechConfigs": {"EN-us": {"voice": "a"}}}}
    found = canonical("apps", body)["audioProcessingConfig"]["synthesizeSpeechConfigs"]
    assert found == {"en-US": {"voice": "a"}}


def test_a_null_default_of_a_schema_is_a_value() -> None:
    """`Schema.default` is a Value, in which null is not an absence."""
    tool = {"clientFunction": {"name": "x", "parameters": {"type": "OBJECT", "default": None}}}
    assert canonical("tools", tool)["clientFunction"]["parameters"] == {"type": "OBJECT", "default": None}


def test_references_are_found_wherever_they_stand() -> None:
    body = {
        "tools": ["tools/lookup"],
        "transferRules": [{"childAgent": "agents/orders"}],
        "toolsets": [{"toolset": "toolsets/shop", "toolIds": ["a/b"]}],
        "remoteDialogflowAgent": {"agent": "projects/p/locations/l/agents/x"},
    }
    found = {str(path): target for path, target in references(kind_of("agents").spec, body)}
    assert found == {
        "tools[0]": "tools/lookup",
        "transferRules[0].childAgent": "agents/orders",
        "toolsets[0].toolset": "toolsets/shop",
    }


@pytest.mark.parametrize("example", ["support-desk", "three-environments"])
def test_normalizing_notes_the_references_that_a_search_finds(
    example: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In every body of a tree that has all kinds."""
    monkeypatch.setenv("CESPLAN_SECRET_carrierKey", "not-a-real-key")
    environment = "dev" if example == "three-environments" else ""
    desired = desired_of(validate(EXAMPLES / example, environment=environment))
    found = 0
    for item in (*desired.apps[0].resources, desired.apps[0].app):
        spec = kind_of(item.address.kind).spec
        normalized = normalize(spec, item.body, NAMING)
        searched = {target for _, target in references(spec, normalized.body)}
        assert {text for text in normalized.refers if text.count("/") == 1} == searched
        assert live_references(spec, item.body, NAMING) == normalized.refers
        found += len(searched)
    assert found > 5
