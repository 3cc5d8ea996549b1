"""CES078: personas with the same display name."""

from cesplan.config.checks.placing import shown
from cesplan.config.checks.walking import messages_at, text_at
from cesplan.config.manifest import AppTree, Finding


def check_personas(tree: AppTree) -> list[Finding]:
    """Display names of personas must be unique in the app (API reference of EvaluationPersona)."""
    found: list[Finding] = []
    first: dict[str, str] = {}
    for path, persona in messages_at(tree.app.body, "evaluationPersonas"):
        name = text_at(persona, "displayName")
        if name and first.setdefault(name, str(path)) != str(path):
            found.append(
                Finding(
                    code="CES078",
                    file=tree.app,
                    path=path / "displayName",
                    summary=f"duplicate persona `{shown(name)}`",
                    detail=f"{first[name]} already has this display name, which must be unique in the app.",
                )
            )
    return found
