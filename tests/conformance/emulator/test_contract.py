"""The contract's fields and enum numbers are those of Google's client, field by field."""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

from cesplan.emulator.contract import Field, load

# In discovery, not in the client: the contract must have them anyway.
DISCOVERY_ONLY = {
    ("DataStoreTool.ModalityConfig", "snippetsConfig"),
    ("Deployment", "modality"),
    ("Deployment", "modelSettings"),
    ("SynthesizeSpeechConfig", "consentAudioGcsUri"),
    ("ImportAppRequest.ImportOptions", "validateOnly"),
    ("EvaluationResult", "outcomeMetadata"),
    ("EvaluationResult", "rootSpan"),
    ("SessionConfig", "excludeDiagnosticInfo"),
    ("Conversation.Turn", "resolvedDeveloperInstruction"),
    ("Conversation.Turn", "templateAttributes"),
    ("Conversation.Turn", "userIntendedText"),
    # Since revision 20261016:
    ("Agent", "remoteA2aAgent"),
    ("App", "dashboardSettings"),
    ("AppVersion", "updateTime"),
    ("AudioProcessingConfig", "customVoiceSamples"),
    ("Deployment", "agentRegistryDeployment"),
    ("Event", "variables"),
    ("Guardrail", "supervisor"),
    ("Guardrail.ContentFilter", "sensitiveWordsExemptions"),
    ("Image", "altText"),
    ("ImportAppRequest", "jsonPatchContent"),
    ("ImportAppRequest", "jsonPatchGcsUri"),
    ("LoggingSettings", "requiredRecordingConsent"),
    ("ModelSettings", "thinkingLevel"),
    *(("RemoteAgentTool", f"{way}VariableMapping") for way in ("input", "output")),
    *(("RemoteAgentTool", name) for name in ("apiAuthentication", "statefulAgent")),
    ("Citations", "inlineCitations"),
    ("SessionInput", "recordingControl"),
    *(("SessionConfig", f"include{what}") for what in ("LlmThoughtSummary", "ProgressUpdate")),
    *(("SessionOutput", name) for name in ("image", "progress")),
    ("Tool", "readOnly"),
    *((message, "agentName") for message in ("ToolCall", "ToolResponse")),
    *((message, "parentToolCallId") for message in ("ToolCall", "ToolResponse")),
}
# Discovery gives no numbers: the contract counts their values in its order.
DISCOVERY_ENUMS = {
    *("Deployment.Modality", "EvaluationResult.OutcomeMetadata", "ModelSettings.ThinkingLevel"),
    *(
        "CustomVoiceSample.VoiceInstructionMode",
        "CustomVoiceSampleWarning.Type",
        "SessionInput.RecordingControl",
    ),
    *("GuardrailSupervisor.DetectionMode", "GuardrailSupervisor.Type"),
}
# Values that are newer than the client, counted on from its last.
NEWER_VALUES = {
    "Guardrail.ContentFilter.MatchType": {"SENSITIVE_WORDS": 4},
    "Guardrail.ModelSafety.HarmCategory": {"HARM_CATEGORY_PROFANITY": 5, "HARM_CATEGORY_TOXIC": 6},
}
DISCOVERY_MESSAGES = {
    *("DataStoreToolSnippetsConfig", "CancelOperationRequest", "Empty", "AgentRegistryDeployment"),
    *("AgentRemoteA2aAgent", "RemoteA2aConfig", "DashboardSettings", "GuardrailSupervisor"),
    *("CustomVoiceSample", "CustomVoiceSampleWarning", "CitationsInlineCitation"),
}


def resolved(version: str, name: str) -> Any:
    """Return the client's class of a dotted proto name, None if it has none."""
    found: Any = import_module(f"google.cloud.ces_{version}.types")
    for part in name.split("."):
        found = getattr(found, part, None)
    return found


def fields_of(version: str, message: str) -> dict[str, Any]:
    """Return the descriptors of the client's message by JSON name."""
    descriptor = resolved(version, message).pb().DESCRIPTOR
    return {field.json_name: field for field in descriptor.fields}


def own_fields(message: str) -> Iterator[Field]:
    for name, spec in load().messages[message].items():
        if (message, name) not in DISCOVERY_ONLY:
            yield spec


@pytest.mark.parametrize("message", sorted(set(load().messages) - DISCOVERY_MESSAGES))
def test_every_message_has_the_clients_fields(message):
    """
    A message of the contract is that of v1beta's client, plus what only discovery or v1 has.

    Repeated, map, oneof and presence agree with the descriptors.
    """
    client = fields_of("v1beta", message)
    assert {spec.name for spec in own_fields(message) if spec.only_in != "v1"} == set(client)
    for spec in own_fields(message):
        if spec.only_in == "v1":
            continue
        found = client[spec.name]
        entry = found.message_type is not None and found.message_type.GetOptions().map_entry
        oneof = found.containing_oneof
        real_oneof = oneof.name if oneof is not None and not oneof.name.startswith("_") else ""
        scalar = found.message_type is None
        assert spec.is_map == entry, spec
        assert spec.repeated == (found.is_repeated and not entry), spec
        assert spec.oneof == real_oneof, spec
        assert spec.presence == (found.has_presence and (scalar or bool(real_oneof))), spec


def test_every_enum_has_the_clients_numbers():
    """Names and numbers agree, so that enums can travel as integers."""
    ours = {name: found for name, found in load().enums.items() if name not in DISCOVERY_ENUMS}
    client = {name: {member.name: int(member) for member in resolved("v1beta", name)} for name in ours}
    assert {name: found | NEWER_VALUES.get(name, {}) for name, found in client.items()} == ours


def test_v1_lacks_two_fields_of_v1beta_and_has_one_of_its_own():
    """App.evaluationPersonas and evaluationSettings are v1beta's; AgentTool.rootAgent is v1's."""
    marked = {
        (message, name, spec.only_in)
        for message, fields in load().messages.items()
        for name, spec in fields.items()
        if spec.only_in
    }
    assert marked == {
        ("AgentTool", "rootAgent", "v1"),
        ("App", "evaluationPersonas", "v1beta"),
        ("App", "evaluationSettings", "v1beta"),
    }


def test_the_order_of_exports_is_that_of_the_numbers():
    """Where declaration and numbers differ the contract has the fields by number, as the client does."""
    contract = load()
    for message, ordered in contract.order.items():
        numbers = {
            field.json_name: field.number for field in resolved("v1beta", message).pb().DESCRIPTOR.fields
        }
        known = [numbers[name] for name in ordered if name in numbers]
        assert known == sorted(known), message
        assert sorted(ordered) == sorted(contract.messages[message])
    assert contract.order["Agent"][:2] == ["name", "displayName"]
