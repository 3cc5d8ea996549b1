"""CES082, CES084: child agents that form a circle, and transfer rules for agents that are not children."""

from collections.abc import Iterator

from cesplan.config.checks.placing import shown
from cesplan.config.checks.walking import messages_at, text_at, texts_at
from cesplan.config.manifest import AppTree, Finding, ResourceFile
from cesplan.config.suggestions import nearest
from cesplan.domain.field_path import FieldPath

_UPWARDS = "CHILD_TO_PARENT"


def check_child_circles(tree: AppTree) -> list[Finding]:
    """The API documents agents as a tree. Each path back to an ancestor is one finding."""
    agents = {file.address.within_app: file for file in tree.of("agents")}
    children = {name: list(texts_at(file.body, "childAgents")) for name, file in agents.items()}
    done: set[str] = set()
    found: list[Finding] = []
    for name in sorted(agents):
        if name not in done:
            found += _circles(name, agents, children, done)
    return found


def _circles(
    start: str,
    agents: dict[str, ResourceFile],
    children: dict[str, list[tuple[FieldPath, str]]],
    done: set[str],
) -> Iterator[Finding]:
    """Depth first from one agent. `done` holds the agents whose children have all been visited."""
    way = [start]
    following = [iter(children[start])]
    while way:
        for path, child in following[-1]:
            if child in way:
                yield _circle(agents[way[-1]], path, [*way[way.index(child) :], child])
            elif child in children and child not in done:
                way.append(child)
                following.append(iter(children[child]))
                break
        else:
            done.add(way.pop())
            following.pop()


def _circle(file: ResourceFile, path: FieldPath, way: list[str]) -> Finding:
    names = " → ".join(name.partition("/")[2] for name in way)
    return Finding(
        code="CES082",
        file=file,
        path=path,
        summary=f"child agents form a circle: {shown(names, 200)}",
        detail="The API describes agents as a tree. To return to the parent, use a transfer rule.",
    )


def check_transfer_rules(tree: AppTree) -> list[Finding]:
    """A rule must name a child of its agent, in either direction."""
    return [finding for file in tree.of("agents") for finding in _rules(file)]


def _rules(file: ResourceFile) -> Iterator[Finding]:
    children = {child for _, child in texts_at(file.body, "childAgents")}
    for path, rule in messages_at(file.body, "transferRules"):
        child = text_at(rule, "childAgent")
        upwards = text_at(rule, "direction") == _UPWARDS
        if not child or child in children or (upwards and child == file.address.within_app):
            continue
        key = child.partition("/")[2]
        yield Finding(
            code="CES084",
            file=file,
            path=path / "childAgent",
            summary=f"{shown(key)} is not a child of this agent"
            + (", and cannot return to it" if upwards else ""),
            detail="In both directions, a rule applies to an agent in `childAgents` of the same file.",
            suggestion=nearest(key, {name.partition("/")[2] for name in children}),
        )
