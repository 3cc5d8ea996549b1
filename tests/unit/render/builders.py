"""Small plans and outcomes for tests of the renderers, written as literally as possible."""

from typing import Any

from cesplan.domain.address import parse_address
from cesplan.domain.change import EditKind, FieldAction, FieldChange, LiveEdit, Origin
from cesplan.domain.field_path import Element, Entry, FieldPath, Index, mask_path
from cesplan.domain.plan import Action, Operation, Plan, Purpose, Reason, Step, StepId, Unmanaged
from cesplan.domain.resource_name import Place
from cesplan.domain.settings import Settings
from cesplan.domain.value import Secret

SETTINGS = Settings(place=Place(project="acme-prod", location="us"), environment="prod")
TOKEN = "hunter2-and-more"
LIVE_TOKEN = "left-by-somebody"
SECRET = Secret(("crmKey",), TOKEN)

INSTRUCTION = """You are the front desk.

- Greet the caller by name.
- Ask for the order number.
- Offer a refund when the order is late.
- Never promise a date.

Tools:
- end_session"""
NEW_INSTRUCTION = INSTRUCTION.replace("is late", "is more than three days late").replace(
    "Tools:", "# Tools\n\nUse these:"
)
CODE = 'def lookup(order: str) -> dict:\n    # one order\n    limit = 1\n    return {"order": order}'
NEW_CODE = CODE.replace("limit = 1", "limit = 42")


def change(path: str | FieldPath, before: Any, after: Any, mask: str = "", **more: Any) -> FieldChange:
    """A change whose action follows from its values; `path` as dotted names or whole."""
    where = path if isinstance(path, FieldPath) else FieldPath(tuple(path.split(".")))
    modified = FieldAction.REMOVED if after is None else FieldAction.MODIFIED
    return FieldChange(
        path=where,
        mask=mask_path(mask) if mask else where.mask,
        action=FieldAction.ADDED if before is None else modified,
        before=before,
        after=after,
        **more,
    )


def operation(address: str, action: str, reason: Reason, *changes: FieldChange, **more: Any) -> Operation:
    """An operation of one step; the mask is that of its changes."""
    where = parse_address(address)
    mask = tuple(sorted({item.mask for item in changes}))
    step = Step(id=StepId(address=where, purpose=Purpose.MAIN), action=Action(action), mask=mask)
    return Operation(
        address=where,
        action=Action(action),
        reason=reason,
        steps=more.pop("steps", (step,)),
        resource_id=where.key,
        changes=changes,
        **more,
    )


def update(address: str, *changes: FieldChange, **more: Any) -> Operation:
    return operation(address, "update", Reason.FIELD_CHANGED, *changes, **more)


def create(address: str, **more: Any) -> Operation:
    return operation(address, "create", Reason.NOT_IN_LIVE, **{"after": {}, **more})


def delete(address: str, **more: Any) -> Operation:
    return operation(address, "delete", Reason.NOT_IN_TREE, **{"before": {}, **more})


def forced(address: str, *users: str) -> Operation:
    """A delete by force, while so many still refer to the resource."""
    step = Step(
        id=StepId(address=parse_address(address), purpose=Purpose.MAIN), action=Action.DELETE, force=True
    )
    named = tuple(map(parse_address, users))
    return delete(address, steps=(step,), used_by=named, still_used_by=named)


def plan(*operations: Operation, **more: Any) -> Plan:
    return Plan(settings=SETTINGS, operations=operations, **more)


def links(address: str, *paths: str) -> tuple[Step, ...]:
    """The steps of a create that is cut: the create, and a later update that sets these paths."""
    where = parse_address(address)
    main = Step(id=StepId(address=where, purpose=Purpose.MAIN), action=Action.CREATE)
    link = Step(
        id=StepId(address=where, purpose=Purpose.LINK),
        action=Action.UPDATE,
        mask=tuple(map(mask_path, paths)),
        after=(main.id,),
    )
    return (main, link)


APP = update(
    "support-desk",
    change("displayName", "Support desk", "Support desk of Hearth & Pine"),
    change(
        "evaluationMetricsThresholds.goldenEvaluationMetricsThresholds.turnLevelMetricsThresholds"
        ".semanticSimilaritySuccessThreshold",
        3,
        4,
    ),
    change(
        FieldPath(("variableDeclarations", Element("name", "tier"))),
        None,
        {"name": "tier", "schema": {"type": "STRING", "default": "gold plated"}, "description": "One\nTwo"},
    ),
    change("loggingSettings.bigqueryExportSettings", {"enabled": True, "dataset": "logs"}, None),
    change(FieldPath(("guardrails", Index(0))), None, "guardrails/pii"),
    change(FieldPath(("guardrails", Index(1))), "guardrails/pii", None),
    change(FieldPath(("metadata", Entry("team"))), None, "care"),
)
FRONT_DESK = update(
    "support-desk/agents/front-desk",
    change("instruction", INSTRUCTION, NEW_INSTRUCTION, language="markdown"),
    change("modelSettings.temperature", 0.7, 0.2),
    change("modelSettings.model", None, "gemini-2.5-flash"),
    change(
        "tools",
        ["tools/lookup-order", "tools/old"],
        ["tools/lookup-order", "tools/track-parcel", "toolsets/crm"],
        is_set=True,
    ),
    change(
        "description",
        "Greets customers and finds out what they need, then hands over to the right colleague quickly.",
        "Greets customers and finds out what they want, then hands over to the right colleague at once.",
    ),
    change(FieldPath(("beforeModelCallbacks", Index(0), "pythonCode")), CODE, NEW_CODE, language="python"),
    before={"instruction": INSTRUCTION, "modelSettings": {"temperature": 0.7}},
    after={"instruction": NEW_INSTRUCTION, "modelSettings": {"temperature": 0.2, "model": "gemini-2.5-flash"}},
    etag="etag-1",
    file="apps/support-desk/agents/front-desk.yaml",
)
TOOLSET = update(
    "support-desk/toolsets/crm",
    change("mcpToolset.apiAuthentication.bearerTokenConfig.token", Secret(("crmKey",), LIVE_TOKEN), SECRET),
    change(FieldPath(("mcpToolset", "customHeaders", Entry("X-Key"))), LIVE_TOKEN, "$context.variables.key"),
    change("openApiToolset.openApiSchema", None, "openapi: 3.0.3\ninfo:\n  title: CRM\n", language="yaml"),
    before={
        "mcpToolset": {
            "apiAuthentication": {"bearerTokenConfig": {"token": LIVE_TOKEN}},
            "customHeaders": {"X-Key": LIVE_TOKEN},
        }
    },
    after={
        "mcpToolset": {
            "apiAuthentication": {"bearerTokenConfig": {"token": SECRET}},
            "customHeaders": {"X-Key": "$context.variables.key"},
        }
    },
)
MIXED = plan(
    APP,
    FRONT_DESK,
    create(
        "support-desk/tools/track-parcel",
        display_name="Where is my parcel",
        file="apps/support-desk/tools/track-parcel.yaml",
        files={"pythonFunction.pythonCode": "apps/support-desk/tools/track-parcel.py"},
        after={"pythonFunction": {"pythonCode": CODE}},
    ),
    create("support-desk/tools/rate-us", display_name="Rate us"),
    create("support-desk/tools/faq", display_name="help_center"),
    create("support-desk/agents/orders", steps=links("support-desk/agents/orders", "childAgents", "tools")),
    TOOLSET,
    delete("support-desk/guardrails/old-words"),
    delete(
        "support-desk/tools/old",
        used_by=(parse_address("support-desk"), parse_address("support-desk/agents/front-desk")),
    ),
    create("support-desk/versions/v42"),
    update("support-desk/deployments/web", change("appVersion", "versions/v41", "versions/v42")),
    update("@us/securitySettings", change("endpointControlPolicy.enforcementScope", None, "ALWAYS")),
    unchanged=57,
    requests=14,
    unmanaged=(
        Unmanaged(
            address=parse_address("support-desk/examples/late-order"),
            display_name="A late order",
            why="the tree has no folder examples/",
        ),
    ),
    notices=("support-desk: live has `fancyNewField`, unknown to this version; it is left unchanged",),
)
FIRST_CONTACT = plan(
    update("support-desk", change("displayName", "Desk", "Support desk")),
    would_remove=("support-desk/guardrails/old-words", "support-desk/agents/front-desk  description"),
    unchanged=3,
    requests=12,
)
REFUSED = plan(
    delete("support-desk/tools/one"),
    unchanged=1,
    requests=12,
    refusals=("support-desk: 4 of 5 tools would be deleted; allow it with --allow-mass-delete",),
)
NOTHING = plan(unchanged=68, requests=13)

BOBS_EDIT = LiveEdit(kind=EditKind.UPDATED, author="bob@acme.example", time="2026-11-20T17:40:12Z")
EVES_CREATION = LiveEdit(kind=EditKind.CREATED, author="eve@acme.example", time="2026-11-20T18:03:00Z")
LIVE_EDITS = plan(
    update("shop/guardrails/words", change("enabled", False, True)),
    create("shop/tools/faq", files={"pythonFunction.pythonCode": "apps/shop/tools/faq.py"}),
    update(
        "shop/agents/front-desk",
        change("displayName", "Desk", "Front desk", origin=Origin.TREE),
        change("description", "By hand", "By the tree", origin=Origin.BOTH, edit=BOBS_EDIT),
        origin=Origin.BOTH,
        reverts=True,
        edit=BOBS_EDIT,
    ),
    delete("shop/examples/old", origin=Origin.TREE),
    delete("shop/agents/try-out", origin=Origin.LIVE, reverts=True, edit=EVES_CREATION),
)
