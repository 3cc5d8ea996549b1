"""The request that starts a run: every setting is sent, so the app's own settings never apply."""

import uuid

from cesplan.domain.features.evaluation import Channel, Demand, Method, PersonaTasks, RunSettings, ToolBehavior
from cesplan.domain.resource_name import last_id
from cesplan.domain.value import Body, as_object, as_objects

_PREFIX = "cesplan"


def unique_name() -> str:
    """A display name that no other run has. It finds the run if the response to the start is lost."""
    return f"{_PREFIX} {uuid.uuid4()}"


def request_body(demand: Demand, display_name: str) -> Body:
    """The body of `runEvaluation`."""
    settings = demand.settings
    chosen: Body = (
        {"evaluationDataset": demand.dataset}
        if demand.dataset
        else {"evaluations": [item.name for item in demand.evaluations]}
    )
    version = {"appVersion": f"{demand.app}/versions/{settings.version}"} if settings.version else {}
    played = [{"persona": item.persona, "taskCount": item.tasks} for item in settings.personas]
    return {
        **chosen,
        **version,
        **({"personaRunConfigs": played} if played else {}),
        "displayName": display_name,
        "config": {
            "evaluationChannel": settings.channel.upper(),
            "toolCallBehaviour": settings.tools.upper(),
        },
        "runCount": settings.repeats,
        "goldenRunMethod": settings.method.upper(),
        "generateLatencyReport": True,
        "evaluationRunCachingSettings": {"runCachingMode": "FORCE_RUN"},
    }


def personas_of(run: Body) -> tuple[PersonaTasks, ...]:
    """The personas that a run reports; a persona without a number of tasks plays once."""
    configs = run.get("personaRunConfigs")
    found = as_objects(configs)
    return tuple(PersonaTasks(persona=str(item.get("persona") or ""), tasks=_tasks(item)) for item in found)


def _tasks(config: Body) -> int:
    count = config.get("taskCount")
    return count if isinstance(count, int) and count > 0 else 1


def settings_of_run(run: Body) -> RunSettings:
    """The settings that a run reports, with the documented defaults for the rest."""
    config = as_object(run.get("config"))
    count = run.get("runCount")
    return RunSettings(
        version=last_id(str(run.get("appVersion") or "")),
        channel=Channel.AUDIO if config.get("evaluationChannel") == "AUDIO" else Channel.TEXT,
        method=Method.NAIVE if run.get("goldenRunMethod") == "NAIVE" else Method.STABLE,
        tools=ToolBehavior.FAKE if config.get("toolCallBehaviour") == "FAKE" else ToolBehavior.REAL,
        repeats=count if isinstance(count, int) and count > 0 else 0,
        personas=personas_of(run),
    )
