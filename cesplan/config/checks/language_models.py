"""CES096: unknown language models, or models that a location does not have."""

import re

from cesplan.config.checks.placing import shown
from cesplan.config.checks.walking import FileWalk
from cesplan.config.manifest import AppTree, Finding
from cesplan.config.suggestions import guess
from cesplan.model.language_models import LanguageModels, language_models

_MODELS = FileWalk(lambda message, field: (message, field.name) == ("ModelSettings", "model"))
_ID = re.compile(r"[a-z][a-z0-9]*(?:[.-][a-z0-9]+)*")


def check_language_models(tree: AppTree) -> list[Finding]:
    """The service refuses to write a resource with a model that its location does not have."""
    known = language_models()
    found: list[Finding] = []
    for visit in _MODELS.over(*tree.all()):
        if not isinstance(visit.value, str) or not visit.value:
            continue
        if what := _problem(visit.value, tree.location, known):
            summary, detail = what
            near = guess(visit.value, _usable(tree.location, known))
            found.append(visit.finding("CES096", summary, detail, None, correction=near))
    return found


def _problem(model: str, location: str, known: LanguageModels) -> tuple[str, str] | None:
    if not _ID.fullmatch(model):
        return f"`{shown(model)}` is not the id of a model", "An id is like `gemini-2.5-flash`, without a path."
    if model not in known.refused_in:
        detail = f"The table of {known.date} has {', '.join(_usable(location, known))}. It may be newer."
        return f"the model `{shown(model)}` is unknown", detail
    if location in known.refused_in[model]:
        return f"{location} does not have the model `{model}`", f"The service refused it, as of {known.date}."
    return None


def _usable(location: str, known: LanguageModels) -> list[str]:
    return [name for name, refused in sorted(known.refused_in.items()) if location not in refused]
