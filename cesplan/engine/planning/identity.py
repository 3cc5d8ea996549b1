"""
Identity: what a plan reports about the matching of files with live resources.

For a certain match without an `$id` in the file, there is a notice with the line to add. An uncertain match
blocks the plan, because a wrong guess would overwrite or delete someone's resource.
"""

from collections.abc import Iterable, Iterator, Sequence

from cesplan.domain.desired import DesiredResource
from cesplan.domain.live import LiveResource
from cesplan.domain.settings import Settings
from cesplan.engine.comparing.match import Match, Unclear
from cesplan.engine.comparing.value_redactor import ValueRedactor
from cesplan.model.kinds import kind_of


def identity_notices(matches: Iterable[Match], settings: Settings) -> Iterator[str]:
    """Notices for matches that were not by id, each with the line that fixes the identity."""
    for match in matches:
        if not match.by_display_name or match.live is None:
            continue
        line = id_line(match.desired, match.live.id, settings)
        if match.is_new_id:
            yield (
                f"{match.desired.address} was re-created under another id: "
                f"{match.desired.resource_id} is gone; "
                f"to fix its identity, change in {match.desired.file}: {line}"
            )
        else:
            yield (
                f"{match.desired.address} was matched by its display name; to fix its identity, "
                f"add to {match.desired.file}: {line}"
            )


def identity_refusals(unclear: Iterable[Unclear], settings: Settings, redactor: ValueRedactor) -> Iterator[str]:
    """Why nothing is planned for files whose live resource is ambiguous, or belongs to another environment."""
    for doubt in unclear:
        yield _elsewhere(doubt, settings) if doubt.elsewhere else _several(doubt, settings, redactor)


def unclear_app(file: DesiredResource, live: tuple[LiveResource, ...]) -> Unclear:
    """The ambiguity of an app in the tree, with its live candidates."""
    return Unclear(files=(file,), live=live, elsewhere=all(item.id in file.other_ids for item in live))


def id_line(file: DesiredResource, resource_id: str, settings: Settings) -> str:
    """The `$id` line for this id, for only one environment if the tree has environments."""
    if settings.environment and (file.other_ids or kind_of(file.address.kind).container):
        return f"$id: {{{settings.environment}: {resource_id}}}"
    return f"$id: {resource_id}"


def _several(doubt: Unclear, settings: Settings, redactor: ValueRedactor) -> str:
    kind = kind_of(doubt.live[0].kind)
    name = redactor.name(kind.display_name_in(doubt.live[0].body))
    files = _listed(doubt.files)
    live = ", ".join(_called(item) for item in doubt.live)
    lines = " or ".join(f"`{id_line(doubt.files[0], item.id, settings)}`" for item in doubt.live)
    into = " and ".join(item.file for item in doubt.files)
    return (
        f"{files}: the live resource is ambiguous: {len(doubt.live)} of them "
        f"{'is' if len(doubt.live) == 1 else 'are'} named `{name}` ({live}); add its id to {into}: {lines}"
    )


def _elsewhere(doubt: Unclear, settings: Settings) -> str:
    file, item = doubt.files[0], doubt.live[0]
    here = f"the environment `{settings.environment}`" if settings.environment else "no environment"
    return (
        f"{_listed(doubt.files)}: live is {_called(item)}, but `$id` in {file.file} assigns that id to another "
        f"environment (this is {here}): add the id for this environment, "
        f"{f'`{settings.environment}: …`' if settings.environment else 'or choose an environment with -e'}"
    )


def _listed(files: Sequence[DesiredResource]) -> str:
    return " and ".join(str(item.address) for item in files)


def _called(item: LiveResource) -> str:
    return "/".join(item.name.split("/")[-2:])
