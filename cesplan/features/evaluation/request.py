"""The request that starts a run: every setting is sent, so that no setting of the app decides instead."""

import uuid

from cesplan.domain.features.evaluation import Channel, Demand, Method, RunSettings, ToolBehavior
from cesplan.domain.resource_name import last_id
from cesplan.domain.value import Body

_PREFIX = "cesplan"


def unique_name() -> str:
    """A display name that no other run has: by it a run is found whose start was not answered."""
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
    return {
        **chosen,
        **version,
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


def settings_of_run(run: Body) -> RunSettings:
    """The settings that a run says it has; what it does not say has its documented default."""
    config = run.get("config") or {}
    count = run.get("runCount")
    return RunSettings(
        version=last_id(str(run.get("appVersion") or "")),
        channel=Channel.AUDIO if config.get("evaluationChannel") == "AUDIO" else Channel.TEXT,
        method=Method.NAIVE if run.get("goldenRunMethod") == "NAIVE" else Method.STABLE,
        tools=ToolBehavior.FAKE if config.get("toolCallBehaviour") == "FAKE" else ToolBehavior.REAL,
        repeats=count if isinstance(count, int) and count > 0 else 0,
    )
