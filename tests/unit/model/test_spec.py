"""Specs answer what generic stages ask about a field."""

import subprocess
import sys

import pytest

from cesplan.model.kinds import KINDS, kind_of
from cesplan.model.marks import OwnedByKey, Reference, Secrecy, Sensitive
from cesplan.model.scalars import Scalar
from cesplan.model.spec import Cardinality, ListMeaning, message_spec


def test_reading_all_specs_imports_neither_pydantic_nor_a_model() -> None:
    """Start-up stays cheap: only the compiled table is read."""
    script = """
import sys
from cesplan.model.kinds import KINDS
assert all(kind.spec.fields for kind in KINDS.values())
heavy = {"pydantic", "cesplan.model.base", "cesplan.model.messages.agent"}
print(sorted(heavy & sys.modules.keys()))
"""
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert answer.stdout == "[]\n"


def test_a_plain_field_has_no_presence_and_belongs_to_nothing() -> None:
    """`description` of an agent is text, managed like any other."""
    field = kind_of("agents").spec.fields["description"]
    assert (field.scalar, field.cardinality, field.marks) == (Scalar.STRING, Cardinality.ONE, ())
    flags = (field.is_transport, field.is_output, field.is_input_only, field.is_server_defaulted)
    assert flags == (False, False, False, False)
    assert (field.has_presence, field.oneof, field.language, field.only_in) == (False, "", "", "")
    assert field.reference is None


def test_a_field_leads_to_the_message_it_holds() -> None:
    """Lists and maps lead to the message of their elements."""
    assert kind_of("agents").spec.fields["toolsets"].message.name == "Agent.AgentToolset"
    schema = message_spec("Schema")
    assert schema.fields["properties"].cardinality is Cardinality.MAP
    assert schema.fields["properties"].message is schema


def test_a_scalar_leads_to_no_message() -> None:
    """Asking for the message of a text is a mistake of the program."""
    with pytest.raises(TypeError, match="description holds no message"):
        _ = kind_of("agents").spec.fields["description"].message


def test_an_unknown_message_is_refused() -> None:
    with pytest.raises(KeyError):
        message_spec("Agent.Nothing")


def test_an_enum_knows_its_values_by_name_and_by_number() -> None:
    """Numbers on the wire are not places in the list: some enums have gaps."""
    field = message_spec("ChannelProfile").fields["channelType"]
    assert field.enum[:3] == ("UNKNOWN", "WEB_UI", "API")
    assert (field.enum_value(1), field.enum_value(2), field.enum_value(11)) == (
        None,
        "WEB_UI",
        "CONTACT_CENTER_AS_A_SERVICE_CHAT",
    )


def test_lists_say_what_their_order_means() -> None:
    agent = kind_of("agents").spec.fields
    assert agent["transferRules"].list_meaning is ListMeaning.ORDERED
    assert agent["tools"].list_meaning is ListMeaning.SET
    assert agent["toolsets"].list_meaning is ListMeaning.KEYED
    assert agent["toolsets"].key_fields == ("toolset",)


def test_oneofs_are_listed_with_their_members_in_order() -> None:
    assert kind_of("toolsets").spec.oneofs == {
        "toolset_type": ("mcpToolset", "openApiToolset", "connectorToolset")
    }


def test_files_may_hold_what_is_neither_transport_nor_output() -> None:
    assert [field.name for field in kind_of("versions").spec.settable] == ["displayName", "description"]


def test_marks_come_back_from_the_table_as_they_were_written() -> None:
    """Tuples, enums and defaults of marks survive."""
    app = kind_of("apps").spec.fields
    assert app["rootAgent"].reference == Reference(kinds=("agents",), pattern="", words=())
    assert app["metadata"].mark(OwnedByKey) == OwnedByKey()
    token = message_spec("BearerTokenConfig").fields["token"].mark(Sensitive)
    assert token is not None
    assert token.secrecy is Secrecy.VARIABLE_ONLY


def test_a_renamed_field_is_found_under_its_other_name() -> None:
    assert message_spec("AgentTool").renamed == {"rootAgent": "agent"}


def test_every_kind_has_a_spec_of_its_own() -> None:
    assert len({kind.spec.name for kind in KINDS.values()}) == 13
