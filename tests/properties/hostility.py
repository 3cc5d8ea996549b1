"""
Live states that nobody wishes for, as the API answers them, to be seeded past every rule.

A tree's resources under other ids, with fields and enum values newer than any model, output-only fields,
what servers fill in, metadata of others, references that lead nowhere, and neighbors of all kinds.
"""

import copy
import re
import uuid
from collections.abc import Iterator
from typing import Any

from cesplan.domain.desired import Desired, DesiredResource
from cesplan.domain.value import Body, reveal
from cesplan.model.kinds import Kind, app_kinds, kind_of
from cesplan.model.scalars import Scalar
from tests.properties.bodies import PERSONAS
from tests.properties.dice import Dice
from tests.properties.trees import APP_NAME, WHERE, version_body
from tests.properties.walking import messages, translated

STRANGE = "fieldFromTheFuture"
"""A field that no model knows; its value tells where it was put."""
THEIRS = {"their-team": "payments", "their-note": "do not touch"}


def hostile(dice: Dice, desired: Desired) -> list[Body]:
    """Live resources for a tree: its own in hostile form, and others beside them."""
    app = desired.apps[0]
    ids = {item.address.within_app: _id(dice, item) for item in app.resources}
    own = [_live(dice, item, ids) for item in app.resources]
    return [_app(dice, app.app, ids), *own, *neighbours(dice, desired)]


def stamped(desired: Desired, *, version: bool = False) -> list[Body]:
    """Live resources as a complete apply of the tree would have left them."""
    app = desired.apps[0]
    ids = {item.address.within_app: item.resource_id or item.address.key for item in app.resources}
    root = {**wire(app.app, ids), "name": APP_NAME}
    root["metadata"] = {**(root.get("metadata") or {}), "cesplan-digest": "of an earlier apply"}
    return [root, *({**wire(item, ids), "name": _name(item, ids)} for item in app.resources)]


def wire(item: DesiredResource, ids: dict[str, str]) -> Body:
    """A body as the service would answer it: full names, secrets in clear, no nulls, nothing input-only."""

    def full(reference: str) -> str:
        kind, _, key = reference.partition("/")
        return f"{APP_NAME}/{kind}/{ids.get(reference, key)}" if reference.count("/") == 1 else reference

    spec = kind_of(item.address.kind).spec
    made = translated(spec, copy.deepcopy(item.body), full) or {}
    hidden = {known.name for known in spec.fields.values() if known.is_input_only}
    for inner, message, _ in messages(spec, made):
        for name in [name for name, value in message.items() if value is None]:
            if inner.fields[name].scalar is not Scalar.VALUE:
                del message[name]
    if "request" in made:
        made["request"] = {**made["request"], "app": APP_NAME}
    return dict(reveal({name: value for name, value in made.items() if name not in hidden}))


def neighbours(dice: Dice, desired: Desired) -> list[Body]:
    """Resources that no tree here has: without a folder, made by the service, in another app, never pruned."""
    found = [
        _named("agents/their-agent", displayName="Theirs", instruction="Ours alone."),
        _named("guardrails/their-rail", displayName="Rail", action=_transfer("agents/long-gone"), enabled=True),
        _named("tools/mcp-made", mcpTool={"name": "made", "serverAddress": "https://mcp.example"}),
        _named("tools/read-only", readOnly=True, clientFunction={"name": "fixed"}),
        _named("tools/newer-type", toolOfTheFuture={"name": "new"}, displayName="new"),
        _named("versions/their-version", displayName="Saved by hand", snapshot={"app": {"displayName": "Old"}}),
        _named(
            "evaluations/their-run", displayName="Golden", golden={"turns": [{"steps": [{}]}]}, invalid=True
        ),
        {"name": f"{WHERE.name}/apps/their-app", "displayName": "Another app", "rootAgent": "gone"},
        {"name": f"{WHERE.name}/apps/their-app/agents/their-agent", "displayName": "The agents-0 of agents"},
    ]
    return dice.some(found)


def _id(dice: Dice, item: DesiredResource) -> str:
    """Now and then an id that the server made: the display name must find the resource then."""
    kind = kind_of(item.address.kind)
    by_name = item.resource_id is None and "displayName" in item.body and not kind.is_snapshot
    if by_name and dice.chance(30):
        return str(uuid.UUID(int=dice.below(2**31) + 2**90, version=4))
    return item.resource_id or item.address.key


def _app(dice: Dice, item: DesiredResource, ids: dict[str, str]) -> Body:
    body = {**wire(item, ids), "name": APP_NAME}
    body["metadata"] = {**(body.get("metadata") or {}), **THEIRS, "cesplan-digest": "of an earlier apply"}
    body.setdefault("dataStoreSettings", {})["engines"] = [{"name": "engine-of-the-service"}]
    logging = body.setdefault("loggingSettings", {})
    logging.setdefault("conversationLoggingSettings", {}).setdefault("retentionWindow", "31536000s")
    return _haunted(dice, kind_of("apps"), {**body, "deploymentCount": 3})


def _live(dice: Dice, item: DesiredResource, ids: dict[str, str]) -> Body:
    kind = kind_of(item.address.kind)
    body = {**wire(item, ids), "name": _name(item, ids)}
    if kind.is_snapshot:
        return {**body, **version_body(item.address.key), "snapshot": {"app": {"displayName": "As it was"}}}
    if kind.name in ("examples", "evaluations"):
        body["invalid"] = dice.chance(50)
    _name_the_function(body)
    return _haunted(dice, kind, body)


def _name_the_function(body: Body) -> None:
    """The server takes the name of a Python function from its code, where it was not said."""
    code = body.get("pythonFunction", {}).get("pythonCode", "")
    found = re.match(r"def (\w+)", code)
    if found:
        body["pythonFunction"].setdefault("name", found[1])


def _haunted(dice: Dice, kind: Kind, body: Body) -> Body:
    """The same with fields and enum values newer than the models, at the top and deeper."""
    for place, (spec, message, depth) in enumerate(list(messages(kind.spec, body))):
        if dice.chance(12 if depth else 30):
            message[STRANGE] = {"at": place}
        if depth and dice.chance(10):
            enums = [name for name in message if name in spec.fields and spec.fields[name].enum]
            for name in enums[:1]:
                message[name] = (
                    "VALUE_FROM_THE_FUTURE" if not isinstance(message[name], list) else message[name]
                )
    return body


def _named(text: str, **body: Any) -> Body:
    return {"name": f"{APP_NAME}/{text}", **body}


def _transfer(agent: str) -> Body:
    return {"transferAgent": {"agent": f"{APP_NAME}/{agent}"}}


def _name(item: DesiredResource, ids: dict[str, str]) -> str:
    return f"{APP_NAME}/{item.address.kind}/{ids[item.address.within_app]}"


def kinds_without_personas(version: str) -> Iterator[str]:
    """The collections of an app as folders name them."""
    yield from (str(kind.name) for kind in app_kinds(version) if kind.name != PERSONAS)
