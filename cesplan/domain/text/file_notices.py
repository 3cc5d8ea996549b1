"""Notices about written files: names that a checkout cannot hold, and text that misleads readers."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from cesplan.domain.text.characters import has_bidi
from cesplan.domain.text.slug import is_reserved


def marks_of_direction(files: Mapping[str, str]) -> Iterator[str]:
    """A notice for each file whose text contains marks that reorder it."""
    for path, text in sorted(files.items()):
        if has_bidi(text):
            yield (
                f"{path} contains bidirectional control characters ({_codes(text)}) that can mislead readers; "
                "check it in an editor that shows them"
            )


def unusable_names(paths: Iterable[str]) -> Iterator[str]:
    """Notices about names that Windows reserves, and names that differ only in letter case."""
    alike: dict[str, list[str]] = defaultdict(list)
    for path in _with_folders(paths):
        alike[path.casefold()].append(path)
        name = path.rpartition("/")[2].partition(".")[0]
        if is_reserved(name) and not is_reserved(path.rpartition("/")[0].rpartition("/")[2]):
            yield f"{path}: Windows reserves the name `{name}` for a device, so no checkout there can hold it"
    for folded, same in alike.items():
        if len(same) > 1 and len(alike.get(folded.rpartition("/")[0], ())) < 2:
            yield f"{' and '.join(same)} are the same name on Windows and macOS, which ignore letter case"


def _with_folders(paths: Iterable[str]) -> list[str]:
    parts = (path.split("/") for path in paths)
    return sorted({"/".join(names[:size]) for names in parts for size in range(1, len(names) + 1)})


def _codes(text: str) -> str:
    return ", ".join(f"U+{ord(sign):04X}" for sign in sorted({*filter(has_bidi, text)}))
