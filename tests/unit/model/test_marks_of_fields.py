"""Judgments that no description holds in a form to compare with: each is written here once more."""

from collections.abc import Callable

from cesplan.model.marks import Deprecated, LongText, Presence, Secrecy, Sensitive, ServerDefaulted
from cesplan.model.scalars import Scalar
from cesplan.model.spec import Cardinality, FieldSpec, ListMeaning, message_names, message_spec


def _fields(wanted: Callable[[FieldSpec], object]) -> set[str]:
    """All fields of all messages for which this is true, as `<message>.<field>`."""
    return {
        f"{name}.{field.name}"
        for name in message_names()
        for field in message_spec(name).fields.values()
        if wanted(field)
    }


def _field(name: str) -> FieldSpec:
    message, _, field = name.rpartition(".")
    return message_spec(message).fields[field]


def _lists(meaning: ListMeaning) -> set[str]:
    return _fields(
        lambda field: (
            field.cardinality is Cardinality.LIST and not field.is_output and field.list_meaning is meaning
        )
    )


def test_lists_in_which_order_means_nothing() -> None:
    """Sets by comment or by meaning; a list that is wrongly one would hide a change."""
    assert _lists(ListMeaning.SET) == {
        "Action.inputFields",
        "Action.outputFields",
        "Agent.AgentToolset.toolIds",
        "Agent.childAgents",
        "Agent.tools",
        "AgentSkill.inputModes",
        "AgentSkill.outputModes",
        "AgentSkill.tags",
        "ChannelProfile.WebWidgetConfig.SecuritySettings.allowedOrigins",
        "DataStoreTool.BoostSpecs.dataStores",
        "EndpointControlPolicy.allowedOrigins",
        "Evaluation.Golden.evaluationExpectations",
        "Evaluation.Scenario.evaluationExpectations",
        "Evaluation.Scenario.rubrics",
        "Evaluation.tags",
        "EvaluationDataset.evaluations",
        "EvaluationExpectation.tags",
        "GoogleSearchTool.contextUrls",
        "GoogleSearchTool.excludeDomains",
        "GoogleSearchTool.preferredDomains",
        "Guardrail.ContentFilter.bannedContents",
        "Guardrail.ContentFilter.bannedContentsInAgentResponse",
        "Guardrail.ContentFilter.bannedContentsInUserInput",
        "Guardrail.ContentFilter.sensitiveWordsExemptions",
        "LanguageSettings.supportedLanguageCodes",
        "OAuthConfig.scopes",
        "RunEvaluationRequest.evaluations",
        "ScheduledEvaluationRun.SchedulingConfig.daysOfWeek",
        "Schema.required",
        "ServiceAccountAuthConfig.scopes",
        "TriggerAction.RespondImmediately.responses",
        "VpcScSettings.allowedOrigins",
    }


def test_lists_whose_elements_have_keys() -> None:
    """An element is found by its key, wherever it is."""
    keyed = {name: _field(name).key_fields for name in _lists(ListMeaning.KEYED)}
    assert keyed == {
        "Agent.toolsets": ("toolset",),
        "AgentCard.skills": ("id",),
        "App.evaluationPersonas": ("name",),
        "App.variableDeclarations": ("name",),
        "ConnectorToolset.connectorActions": ("connectionActionId", "entityOperation"),
        "DataStoreTool.EngineSource.dataStoreSources": ("dataStore.name",),
        "DataStoreTool.modalityConfigs": ("modalityType",),
        "Evaluation.Scenario.userFacts": ("name",),
        "ExperimentConfig.VersionRelease.trafficAllocations": ("id",),
        "Guardrail.ModelSafety.safetySettings": ("category",),
        "McpToolset.toolOverrides": ("tool",),
        "RunEvaluationRequest.personaRunConfigs": ("persona",),
        "TlsConfig.caCerts": ("displayName",),
    }


ORDERED_LISTS = {
    "Agent.afterAgentCallbacks",
    "Agent.afterModelCallbacks",
    "Agent.afterToolCallbacks",
    "Agent.beforeAgentCallbacks",
    "AudioProcessingConfig.customVoiceSamples",
    "Agent.beforeModelCallbacks",
    "Agent.beforeToolCallbacks",
    "Agent.guardrails",
    "Agent.transferRules",
    "AgentCard.supportedInterfaces",
    "AgentSkill.examples",
    "App.guardrails",
    "DataStoreTool.BoostSpec.ConditionBoostSpec.BoostControlSpec.controlPoints",
    "DataStoreTool.BoostSpec.conditionBoostSpecs",
    "DataStoreTool.BoostSpecs.spec",
    "DataStoreTool.boostSpecs",
    "Evaluation.Golden.turns",
    "Evaluation.GoldenTurn.steps",
    "Evaluation.Scenario.scenarioExpectations",
    "Example.messages",
    "Message.chunks",
    "Schema.anyOf",
    "Schema.enum",
    "Schema.prefixItems",
    "ToolResponses.toolResponses",
}
"""The lists whose order says something: a judgement, and changing one is a change of behavior."""


def test_lists_in_which_order_counts() -> None:
    assert _lists(ListMeaning.ORDERED) == ORDERED_LISTS


def test_messages_whose_empty_value_says_something() -> None:
    """`{}` is not absence: it turns a metric off, runs a step, or accepts anything."""
    assert _fields(lambda field: field.scalar is Scalar.MESSAGE and field.mark(Presence)) == {
        "Evaluation.GoldenExpectation.agentResponseHallucinationMetricsConfigOverride",
        "Evaluation.GoldenExpectation.agentResponseSemanticSimilarityMetricsConfigOverride",
        "EvaluationMetricsConfig.GoldenMetricsConfig.semanticSimilarityMetricsConfig",
        "EvaluationMetricsConfig.GoldenMetricsConfig.stepToolCorrectnessMetricsConfig",
        "EvaluationMetricsConfig.GoldenMetricsConfig.toolCorrectnessMetricsConfig",
        "EvaluationMetricsConfig.ScenarioMetricsConfig.expectationsMetMetricsConfig",
        "EvaluationMetricsConfig.ScenarioMetricsConfig.userGoalMetMetricsConfig",
        "RunEvaluationRequest.optimizationConfig",
        "Schema.additionalProperties",
        "Schema.items",
    }


def test_fields_that_the_server_fills_when_they_are_absent() -> None:
    """Each says with which value; some tools take their name and description from schema or code."""
    assert _fields(lambda field: field.mark(ServerDefaulted)) == {
        "ConversationLoggingSettings.retentionWindow",
        "OpenApiTool.description",
        "OpenApiTool.name",
        "PythonFunction.name",
    }


def test_fields_that_need_care() -> None:
    """Secrets come from secret variables, tokens from session variables, keys from Secret Manager."""

    def of(secrecy: Secrecy) -> set[str]:
        return _fields(lambda field: (mark := field.mark(Sensitive)) and mark.secrecy is secrecy)

    assert of(Secrecy.SECRET) == {
        "InstagramCredentials.authCode",
        "WhatsAppCredentials.authCode",
        "WhatsAppCredentials.pin",
    }
    assert of(Secrecy.VARIABLE_ONLY) == {
        "BearerTokenConfig.token",
        "EndUserAuthConfig.Oauth2AuthCodeConfig.oauthToken",
        "EndUserAuthConfig.Oauth2JwtBearerConfig.clientKey",
        "EndUserAuthConfig.Oauth2JwtBearerConfig.issuer",
        "EndUserAuthConfig.Oauth2JwtBearerConfig.subject",
        "McpTool.customHeaders",
        "McpToolset.customHeaders",
    }
    assert of(Secrecy.SECRET_NAME) == {
        "ApiKeyConfig.apiKeySecretVersion",
        "ClientCertificateSettings.passphrase",
        "ClientCertificateSettings.privateKey",
        "OAuthConfig.clientSecretVersion",
    }


def test_fields_that_hold_long_text() -> None:
    """Best kept in files: instructions and prompts, code, documents."""
    assert _fields(lambda field: (mark := field.mark(LongText)) and mark.language == "python") == {
        "Callback.pythonCode",
        "CodeBlock.pythonCode",
        "PythonCodeCondition.pythonCode",
        "PythonFunction.pythonCode",
        "WidgetTool.DataMapping.pythonScript",
    }
    assert _fields(lambda field: (mark := field.mark(LongText)) and mark.language == "markdown") == {
        "Agent.instruction",
        "App.globalInstruction",
        "DataStoreTool.RewriterConfig.prompt",
        "DataStoreTool.SummarizationConfig.prompt",
        "Evaluation.Scenario.task",
        "CustomVoiceSample.previewText",
        "CustomVoiceSample.voiceInstruction",
        "EvaluationExpectation.LlmCriteria.prompt",
        "EvaluationPersona.personality",
        "GoogleSearchTool.PromptConfig.textPrompt",
        "GoogleSearchTool.PromptConfig.voicePrompt",
        "Guardrail.LlmPolicy.prompt",
        "SynthesizeSpeechConfig.instruction",
        "TriggerAction.GenerativeAnswer.prompt",
        "WidgetTool.TextResponseConfig.textResponseInstruction",
    }
    assert _fields(lambda field: field.language in ("yaml", "text")) == {
        "ClientCertificateSettings.tlsCertificate",
        "OpenApiTool.openApiSchema",
        "OpenApiToolset.openApiSchema",
    }


def test_fields_that_are_deprecated() -> None:
    assert _fields(lambda field: field.mark(Deprecated)) == {
        "AmbientSoundConfig.prebuiltAmbientNoise",
        "BargeInConfig.disableBargeIn",
        "Evaluation.Scenario.taskCompletionBehavior",
        "EvaluationConfig.inputAudioConfig",
        "EvaluationConfig.outputAudioConfig",
        "EvaluationMetricsThresholds.hallucinationMetricBehavior",
        "LanguageSettings.fallbackAction",
        "SynthesizeSpeechConfig.consentAudioGcsUri",
        "SynthesizeSpeechConfig.voiceSampleGcsUri",
        "WidgetTool.DataMapping.pythonScript",
    }
