"""
The runs of a gate: the name of each is derived from what it must show.

A gate that was killed therefore finds its runs again, and a failed gate cannot be repeated until it passes:
the first run for a demand on a version is the one that counts. A new run requires a change of the version, a
golden, a threshold, or the run settings, or a first run that is older than the release allows.
"""

import hashlib
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from cesplan.domain.features.evaluation import Demand
from cesplan.domain.resource_name import last_id
from cesplan.domain.text.times import moment
from cesplan.domain.value import Body, canonical_text

_PREFIX = "cesplan-gate"
_DIGITS = 20


def demand_digest(demand: Demand) -> str:
    """The digest of the version, the settings, and all requirements of the evaluations."""
    settings = demand.settings
    settings_list = {
        "settings": [settings.version, settings.channel, settings.method, settings.tools, settings.repeats],
        "evaluations": [
            [item.name, item.digest, sorted((key, str(value)) for key, value in item.thresholds.items())]
            for item in demand.evaluations
        ],
    }
    return hashlib.sha256(canonical_text(settings_list).encode()).hexdigest()[:_DIGITS]


def first_name(demand: Demand) -> str:
    """The display name of the first run for a demand."""
    return f"{_PREFIX} {demand_digest(demand)}"


def again_name(first_run: str, attempt: int, demand: Demand) -> str:
    """The display name of a run that replaces undecided results of another one."""
    identity = f"{last_id(first_run)} {attempt} {demand_digest(demand)}"
    return f"{_PREFIX} {hashlib.sha256(identity.encode()).hexdigest()[:_DIGITS]}"


def made_before(name: str, runs: Iterable[Body], now: datetime, age: timedelta | None, version: str) -> str:
    """
    The resource name of the oldest run with this name that is not older than `age` (None: any age); empty if
    there is none. A run of another version does not count, whatever its name.
    """
    found = [
        (began, str(item["name"]))
        for item in runs
        if item.get("displayName") == name
        and last_id(str(item.get("appVersion") or "")) == version
        and (began := moment(item.get("createTime"))) is not None
        and (age is None or now - began <= age)
    ]
    return min(found)[1] if found else ""


def digests_of(release_digest: str, demands: Iterable[Demand]) -> Mapping[str, str]:
    """The digests that evidence is bound to: the release file, and every evaluation with its thresholds."""
    found = {"release": release_digest}
    for demand in demands:
        for item in demand.evaluations:
            content = [item.digest, sorted((key, str(value)) for key, value in item.thresholds.items())]
            found[item.reference] = hashlib.sha256(canonical_text(content).encode()).hexdigest()
    return dict(sorted(found.items()))
