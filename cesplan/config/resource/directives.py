"""
The directives at the top of a resource file: `$id`, `$protect`, `$ignore`, `$ownership`, `$extra`, `$silence`.
"""

from typing import Any

from cesplan.config.resource.field_paths import UnknownPath, ignorable, is_known_field, unsendable
from cesplan.config.resource.silences import refusal
from cesplan.config.resource.values import RESOURCE_DIRECTIVES, Context, check_directives, follow
from cesplan.config.resource.walk import Walk
from cesplan.config.suggestions import Guess, guess, one_of
from cesplan.config.yaml.nodes import Mapping, Node, Scalar, Sequence, kind_of, text_of
from cesplan.domain.desired import Directives
from cesplan.domain.field_path import FieldPath
from cesplan.domain.resource_name import ID_PATTERN
from cesplan.domain.settings import Ownership
from cesplan.domain.value import ABSENT
from cesplan.model.kinds import Kind


def read_directives(root: Mapping, kind: Kind, environment: str, context: Context) -> Directives:
    """Read the directives of a resource file. Invalid ones are reported and left out."""
    if not root.has_directive:
        return Directives(ownership=kind.ownership)
    check_directives(root, RESOURCE_DIRECTIVES, context)
    reader = _Reader(root, kind, context)
    return Directives(
        resource_id=reader.resource_id(environment),
        other_ids=reader.other_ids(environment),
        ownership=reader.ownership(),
        protect=reader.protect(),
        ignore=reader.ignore(),
        extra=reader.extra(),
        silenced=reader.silenced(),
    )


class _Reader:
    def __init__(self, root: Mapping, kind: Kind, context: Context) -> None:
        self._root = root
        self._kind = kind
        self._context = context

    def resource_id(self, environment: str) -> str | None:
        node = self._root.get("$id")
        if node is None:
            return None
        if not self._kind.id_parameter:
            self._report_problem(
                node, "`$id` does not apply here", f"A location has {self._kind.name} only once."
            )
            return None
        if isinstance(node, Mapping):
            ids = {name: self._id(key, name, value) for name, key, value in node}
            return ids.get(environment)
        return self._id(node, "", node)

    def other_ids(self, environment: str) -> frozenset[str]:
        """The ids that a `$id` map gives only to other environments, not to this one."""
        node = self._root.get("$id")
        if not isinstance(node, Mapping):
            return frozenset()
        ids = {name: value.value for name, _, value in node if isinstance(value, Scalar)}
        return frozenset(str(text) for text in ids.values()) - {ids.get(environment)}

    def _id(self, key: Node, environment: str, node: Node) -> str | None:
        known = self._context.environments
        if environment and environment not in known:
            self._report_problem(
                key, f"cesplan.yaml has no environment `{environment}`", correction=guess(environment, known)
            )
            return None
        text = self._text("$id", node)
        if text is None or ID_PATTERN.fullmatch(text):
            return text
        self._report_problem(
            node,
            f"`{text}` is not a valid id",
            "An id consists of 5 to 36 letters, digits, `-`, and `_`, and begins with a letter or a digit.",
        )
        return None

    def ownership(self) -> Ownership:
        node = self._root.get("$ownership")
        text = self._text("$ownership", node) if node is not None else None
        if node is None or text is None:
            return self._kind.ownership
        words = [item.value for item in Ownership]
        if text not in words:
            self._report_problem(node, f"`$ownership` must be {one_of(words)}", correction=guess(text, words))
            return self._kind.ownership
        if self._kind.ownership is Ownership.DECLARED and text != Ownership.DECLARED:
            self._report_problem(
                node, f"{self._kind.name} always have `$ownership: declared`", "Remove the line."
            )
        return Ownership(text)

    def protect(self) -> bool:
        node = self._root.get("$protect")
        if node is None:
            return False
        if isinstance(node, Scalar) and isinstance(node.value, bool):
            return node.value
        self._report_problem(node, f"`$protect` must be true or false, but this is {kind_of(node)}")
        return False

    def ignore(self) -> tuple[FieldPath, ...]:
        node = self._root.get("$ignore")
        if node is None:
            return ()
        if not isinstance(node, Sequence):
            self._report_problem(node, f"`$ignore` must be a list of field paths, but this is {kind_of(node)}")
            return ()
        return tuple(path for item in node.items if (path := self._ignored(item)))

    def _ignored(self, node: Node) -> FieldPath | None:
        text = self._text("$ignore", node)
        found = ignorable(self._kind.spec, text) if text is not None else None
        if isinstance(found, UnknownPath):
            self._report_problem(node, found.summary, found.detail, correction=found.correction)
            return None
        return found

    def extra(self) -> dict[str, Any]:
        node = self._root.get("$extra")
        if node is None:
            return {}
        found = follow(node, ("$extra",), self._context)
        if not isinstance(found, Mapping):
            if found is not None:
                self._report_problem(node, f"`$extra` must be a mapping, but this is {kind_of(found)}")
            return {}
        values = {}
        for path, key, value in found:
            if is_known_field(self._kind.spec, path):
                self._report_problem(
                    key, f"`{path}` is a known field", "Set it as a regular field of the file."
                )
                continue
            if problem := unsendable(self._kind.spec, path):
                self._report_problem(key, problem.summary, problem.detail)
                continue
            free = Walk(self._context).free_form(value, FieldPath((path,)).segments)
            if free is not ABSENT:
                values[path] = free
        return values

    def silenced(self) -> dict[str, str]:
        node = self._root.get("$silence")
        if node is None:
            return {}
        if not isinstance(node, Mapping):
            self._report_problem(
                node,
                f"`$silence` must be a mapping, but this is {kind_of(node)}",
                "Give the code and the reason: `$silence: {CES041: reason}`.",
            )
            return {}
        return {code: reason for code, key, value in node if (reason := self._reason(code, key, value))}

    def _reason(self, code: str, key: Node, node: Node) -> str:
        if why := refusal(code):
            self._context.report_problem("CES033", why, key)
            return ""
        reason = text_of(node) or ""
        if not reason.strip():
            self._context.report_problem(
                "CES033",
                f"`$silence` of {code} has no reason",
                key,
                detail="Explain why the finding is acceptable.",
            )
        return reason or "(no reason)"

    def _text(self, name: str, node: Node) -> str | None:
        text = text_of(node)
        if text is None:
            self._report_problem(node, f"`{name}` must be a string, but this is {kind_of(node)}")
        return text

    def _report_problem(
        self, node: Node, summary: str, detail: str = "", *, correction: Guess | None = None
    ) -> None:
        self._context.report_problem("CES024", summary, node, detail=detail, correction=correction)
