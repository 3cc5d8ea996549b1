"""CES098: more version files than one apply can create versions for."""

from cesplan.config.manifest import AppTree, Finding
from cesplan.domain.field_path import FieldPath
from cesplan.model.kinds import KINDS

_VERSIONS = tuple(kind.name for kind in KINDS.values() if kind.is_snapshot)


def check_version_files(tree: AppTree) -> list[Finding]:
    """An app without any of these versions cannot be applied, because all would be identical."""
    return [
        Finding(
            code="CES098",
            file=files[-1],
            path=FieldPath(),
            summary=f"{tree.key} has {len(files)} version files, but one apply creates at most one version",
            detail="This is fine if at most one of these versions is new. In an environment that has "
            "fewer, `plan` fails: leave the other files out of it with `$exclude: true`.",
        )
        for kind in _VERSIONS
        if len(files := tree.of(kind)) > 1
    ]
