"""CES078: personas with the same display name."""

from cesplan.config.checks.placing import shown
from cesplan.config.checks.walking import messages_at, text_at
from cesplan.config.manifest import AppTree, Finding
from cesplan.config.repeated import repeated


def check_personas(tree: AppTree) -> list[Finding]:
    """Display names of personas must be unique in the app (API reference of EvaluationPersona)."""
    personas = messages_at(tree.app.body, "evaluationPersonas")
    return [
        Finding(
            code="CES078",
            file=tree.app,
            path=path / "displayName",
            summary=f"duplicate persona `{shown(text_at(persona, 'displayName'))}`",
            detail=f"{first} already has this display name, which must be unique in the app.",
        )
        for (path, persona), (first, _) in repeated(personas, lambda item: text_at(item[1], "displayName"))
    ]
