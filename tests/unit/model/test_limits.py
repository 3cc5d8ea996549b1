"""The documented limits of fields, each written once more, and each form tried on texts that fit and do not."""

import re
from typing import TypeVar

import pytest

from cesplan.model.marks import AtMost, Choices, Form, Mark, Within
from cesplan.model.spec import message_names, message_spec

_M = TypeVar("_M", bound=Mark)


def _all(kind: type[_M]) -> dict[str, _M]:
    """Every mark of a kind by `<message>.<field>`, messages by the last part of their names."""
    return {
        f"{name.rpartition('.')[2]}.{field.name}": mark
        for name in message_names()
        for field in message_spec(name).fields.values()
        if (mark := field.mark(kind)) is not None
    }


def test_ranges() -> None:
    assert {name: (mark.low, mark.high) for name, mark in _all(Within).items()} == {
        "AmbientSoundConfig.volumeGainDb": (-96, 16),
        "ConditionBoostSpec.boost": (-1, 1),
        "ControlPoint.boostAmount": (-1, 1),
        "ExpectationLevelMetricsThresholds.toolInvocationParameterCorrectnessThreshold": (0, 1),
        "GroundingConfig.groundingLevel": (1, 5),
        "Scenario.maxTurns": (1, 100),
        "SchedulingConfig.daysOfWeek": (1, 7),
        "SynthesizeSpeechConfig.speakingRate": (0.25, 2),
        "TrafficAllocation.trafficPercentage": (0, 100),
        "TurnLevelMetricsThresholds.overallToolInvocationCorrectnessThreshold": (0, 1),
        "TurnLevelMetricsThresholds.semanticSimilaritySuccessThreshold": (0, 4),
    }


def test_counts() -> None:
    assert {name: mark.count for name, mark in _all(AtMost).items()} == {
        "App.evaluationPersonas": 30,
        "Golden.turns": 100,
        "GoogleSearchTool.contextUrls": 20,
        "GoogleSearchTool.excludeDomains": 2000,
        "GoogleSearchTool.preferredDomains": 20,
        "SecuritySettings.allowedOrigins": 100,
        "TrafficAllocation.id": 128,
    }


def test_choices() -> None:
    levels = ("low", "moderate", "high", "very_high")
    sounds = (
        *("coffee_shop", "keyboard", "keypad", "hum", "office_1", "office_2", "office_3"),
        *("room_1", "room_2", "room_3", "room_4", "room_5", "air_conditioner"),
    )
    assert {name: mark.values for name, mark in _all(Choices).items()} == {
        "AmbientSoundConfig.prebuiltAmbientSound": sounds,
        "ChannelProfile.noiseSuppressionLevel": levels,
        "Image.mimeType": ("image/png", "image/jpeg", "image/webp"),
        "InputAudioConfig.noiseSuppressionLevel": levels,
    }


_PEM = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"
_ORIGIN = (
    ("https://a.example", "http://localhost:8080"),
    ("a.example", "https://a.example/", "ftp://a.example"),
)
_BUCKET = (("gs://calls", "gs://calls/2026"), ("calls", "https://calls", "gs://"))
FORMS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "AgentInterface.url": (("https://a.example/a2a",), ("http://a.example", "a.example")),
    "AmbientSoundConfig.gcsUri": _BUCKET,
    "AudioRecordingConfig.gcsBucket": _BUCKET,
    "ClientCertificateSettings.tlsCertificate": ((_PEM, _PEM + _PEM), ("MIIB", "-----BEGIN CERTIFICATE-----")),
    "ControlPoint.attributeValue": (
        ("3", "-2.5", "5D", "T24H", "3DT12H30M", "P5D"),
        ("five", "5 days", "24H", "1.", "D"),
    ),
    "CustomVoiceSample.consentAudioGcsUri": _BUCKET,
    "CustomVoiceSample.voiceSampleGcsUri": _BUCKET,
    "EndpointControlPolicy.allowedOrigins": _ORIGIN,
    "Schema.ref": (("#/defs/Address",), ("Address", "#/definitions/Address", "#/defs/")),
    "SecuritySettings.allowedOrigins": _ORIGIN,
    "SynthesizeSpeechConfig.consentAudioGcsUri": _BUCKET,
    "SynthesizeSpeechConfig.voiceSampleGcsUri": _BUCKET,
    "TimeZoneSettings.timeZone": (
        ("Europe/Paris", "America/Argentina/Buenos_Aires", "Etc/GMT+3", "UTC"),
        ("+02:00", "Europe/", "Europe Paris"),
    ),
    "VariableDeclaration.name": (("a", "_x", "order_2"), ("2nd", "order-id", "é", "")),
    "VpcScSettings.allowedOrigins": _ORIGIN,
    "WhatsAppConfig.phoneNumber": (("+14155550100",), ("14155550100", "+0123", "+1 415 555 0100")),
    "WhatsAppCredentials.pin": (("012345",), ("12345", "1234567", "12a456")),
}


def test_every_form_is_tried_here() -> None:
    assert sorted(_all(Form)) == sorted(FORMS)


@pytest.mark.parametrize("name", sorted(FORMS))
def test_forms(name: str) -> None:
    """A form fits the whole text or not at all."""
    pattern = _all(Form)[name].pattern
    good, bad = FORMS[name]
    assert [text for text in good if not re.fullmatch(pattern, text)] == []
    assert [text for text in bad if re.fullmatch(pattern, text)] == []
