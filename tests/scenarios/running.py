"""
Running a scenario: a tree is planned against a seeded emulator, the plan is applied, and what happened is
reported.

A folder holds

    scenario.yaml   what it is about, and what a person would have typed: options, allowances, switches
    tree/           the tree, as people write it
    live.json       what is live before, as the API answers it
    plan.txt        the plan as people read it
    plan.json       the same for machines
    requests.txt    what apply sent: method, resource, mask, and the answer where it was not a success
    outcome.txt     what became of each operation, and what the next plan would say

The last four are compared with what happens. To write them again: `REFRESH_SCENARIOS=1 pytest tests/scenarios`,
and read the difference.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from ruamel.yaml import YAML

from cesplan.config.tree.load import Loaded, load
from cesplan.domain.desired import Source
from cesplan.domain.field_path import mask_path
from cesplan.domain.options import Allowances, ApplyOptions, PlanOptions
from cesplan.domain.outcome import Applied, Failed, Skipped, Started, Unknown, Waiting
from cesplan.domain.plan import Plan
from cesplan.emulator import EmbeddedEmulator, Switches
from cesplan.engine.applying.run import apply
from cesplan.model.kinds import kind_of
from cesplan.remote.connecting import connect
from cesplan.render.machine.formats.plan import PlanReport
from cesplan.render.text.layout import View
from cesplan.render.text.outcome import outcome_text
from cesplan.render.text.plan import plan_text
from cesplan.workflow.connecting import Connection
from cesplan.workflow.planning import plan_loaded

VIEW = View(width=100)
APP = "projects/acme/locations/us/apps/"
WHEN = "2026-03-01T09:00:00Z"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """`scenario.yaml`; texts are addresses where the options of a command take addresses."""

    about: str
    options: Mapping[str, Any]
    allowances: Mapping[str, Any]
    switches: Mapping[str, Any]
    meanwhile: tuple[Mapping[str, Any], ...] = ()


def run(folder: Path) -> dict[str, str]:
    """The texts of a scenario's golden files, by name."""
    scenario = _read(folder)
    with EmbeddedEmulator(switches=Switches(**scenario.switches)) as emulator:
        live = _live(folder)
        emulator.seed(*live, *_logged(live))
        loaded = _loaded(folder)
        made = _planned(loaded, scenario, emulator)
        _meanwhile(scenario, made, emulator)
        emulator.journal.clear()
        told = [*_applied(made, emulator)] if not made.refusals else ["Refused: nothing was sent.\n"]
        sent = [*_requests(emulator)]
        again = _planned(loaded, scenario, emulator)
    return {
        "plan.txt": plan_text(made, VIEW),
        "plan.json": _without_version(PlanReport.of(made).text()),
        "requests.txt": "".join(sent) or "nothing\n",
        "outcome.txt": "".join(told) + _next(again),
    }


def _read(folder: Path) -> Scenario:
    text = YAML(typ="safe").load(folder / "scenario.yaml")
    return Scenario(
        about=text["about"],
        options={name: _frozen(value) for name, value in text.get("options", {}).items()},
        allowances={name: _frozen(value) for name, value in text.get("allow", {}).items()},
        switches=text.get("switches", {}),
        meanwhile=tuple(text.get("meanwhile", ())),
    )


def _frozen(value: Any) -> Any:
    return frozenset(value) if isinstance(value, list) else value


def _live(folder: Path) -> list[dict[str, Any]]:
    """The seeds, with etags and times that are the same on every run."""
    bodies = json.loads((folder / "live.json").read_text(encoding="utf-8"))
    return [
        {"etag": f"etag of {body['name'].split('/')[-1]}", "createTime": WHEN, "updateTime": WHEN, **body}
        for body in bodies
    ]


def _logged(live: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The entry of the change log for the stamp of an earlier apply: so what is live is what it left."""
    stamped = [body for body in live if "cesplan-digest" in body.get("metadata", {})]
    return [
        {
            "name": f"{body['name']}/changelogs/stamp",
            "author": "ci@acme.example",
            "action": "Update",
            "resource": body["name"],
            "resourceType": "App",
            "createTime": WHEN,
            "newResource": {"metadata": body["metadata"]},
        }
        for body in stamped
    ]


def _loaded(folder: Path) -> Loaded:
    """The tree, as if it stood in no git repository."""
    loaded = load(folder / "tree", environ={})
    assert loaded.desired is not None, "\n".join(item.summary for item in loaded.diagnostics)
    return replace(loaded, desired=replace(loaded.desired, source=Source()))


def _planned(loaded: Loaded, scenario: Scenario, emulator: EmbeddedEmulator) -> Plan:
    planned = plan_loaded(
        loaded,
        options=PlanOptions(**scenario.options),
        allowances=Allowances(**scenario.allowances),
        connection=Connection(emulator=emulator.address),
    )
    return replace(planned.plan, made=None)  # the time and the version would be others in every run


def _meanwhile(scenario: Scenario, made: Plan, emulator: EmbeddedEmulator) -> None:
    """Someone else writes between plan and apply."""
    with connect(made.settings, emulator=emulator.address, read_only=False) as client:
        for edit in scenario.meanwhile:
            name = APP + edit["resource"]
            kind = kind_of(name.split("/")[-2])
            client.update(kind, name, dict(edit["body"]), tuple(map(mask_path, edit["mask"])))


def _applied(made: Plan, emulator: EmbeddedEmulator) -> Iterator[str]:
    """The outcomes, one worker at a time, so that their order is that of the plan."""
    with connect(made.settings, emulator=emulator.address, read_only=False) as client:
        for event in apply(made, client, ApplyOptions(workers=1)):
            match event:
                case Applied() | Failed() | Unknown():
                    yield outcome_text(replace(event, seconds=0.0), VIEW)
                case Skipped():
                    yield outcome_text(event, VIEW)
                case Started() | Waiting():
                    pass


def _requests(emulator: EmbeddedEmulator) -> Iterator[str]:
    for entry in emulator.journal.entries:
        if entry.method == "GET":
            continue
        query = parse_qs(entry.query)
        new = next((values[0] for name, values in query.items() if name.endswith("Id")), "")
        path = "/".join(filter(None, (entry.path.split("/locations/us/")[1], new)))
        force = "force" if "force" in query else ""
        status = "" if entry.status == 200 else f"→ {entry.status}"
        words = (entry.method.ljust(6), path, *query.get("updateMask", ()), force, status)
        yield " ".join(filter(None, words)) + "\n"


def _without_version(text: str) -> str:
    """A plan file without the version of cesplan that wrote it."""
    document = json.loads(text)
    document.pop("cesplan_version")
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _next(again: Plan) -> str:
    rows = [f"  {item.action} {item.address} {','.join(map(str, item.mask))}".rstrip() for item in again.shown]
    return "\nNext plan: " + ("nothing to do\n" if not rows else "\n" + "\n".join(rows) + "\n")
