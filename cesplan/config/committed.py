"""
A tree as it was committed: the files of an older commit, put into another folder.

Only objects are read: no branch, index or working tree is touched, and no attribute counts.
"""

import contextlib
import errno
import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from cesplan.config.git import Repository, repository_of
from cesplan.domain.commit import is_commit_id

_MOST_BYTES = 256 << 20
"""Of all files of a tree together; they are in memory at once. Far more than a tree has."""
_MOST_FILES = 200_000
_LINK = "120000"
_SUBMODULE = "160000"
_ABOUT_NAMES = (errno.EEXIST, errno.ENOTDIR, errno.EISDIR, errno.ENAMETOOLONG, errno.EILSEQ, errno.EINVAL)
"""Errors of a write that are due to what a file is called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """
    A tree in a folder. `trouble` is why there is none, empty where there is one.

    `skipped` are the paths that were left out: links that lead out of the tree, and names that no file
    can have.
    """

    trouble: str = ""
    skipped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """One line of `git ls-tree`. `size` is None where this clone lacks the object."""

    mode: str
    object_id: str
    size: int | None
    path: str


def extract_tree(root: Path, commit: str, into: Path) -> Extracted:
    """Put the tree around a folder, as it was at a commit, into an empty folder."""
    if not is_commit_id(commit):
        return Extracted(trouble="the stamp does not name the full id of a commit")
    repository = repository_of(root)
    if repository is None or repository.ask("rev-parse", "--git-dir") is None:
        return Extracted(trouble="the tree is not in a git repository")
    short = commit[:12]
    if repository.ask("cat-file", "-e", f"{commit}^{{commit}}") is None:
        return Extracted(trouble=f"the commit {short} is not in this repository (in a shallow clone, fetch it)")
    listing = repository.ask("ls-tree", "-r", "-l", "-z", "--full-tree", f"{commit}:{repository.folder}")
    if listing is None:
        return Extracted(trouble=f"the commit {short} does not have this folder")
    entries = [entry for entry in _entries(listing) if entry.mode != _SUBMODULE]
    if trouble := _too_much(entries):
        return Extracted(trouble=f"the files of the commit {short} {trouble}")
    contents = _contents(repository, entries)
    if contents is None:
        return Extracted(trouble=f"the files of the commit {short} cannot be read")
    try:
        return Extracted(skipped=_write(entries, contents, into))
    except OSError as error:
        return Extracted(trouble=f"the files of the commit {short} cannot be written: {error.strerror}")


def committed_at(root: Path, paths: tuple[str, ...]) -> datetime | None:
    """When one of these files was last changed by a commit; None for files that are in no commit."""
    repository = repository_of(root)
    if repository is None:
        return None
    found = [str(PurePosixPath(repository.folder, path)) for path in paths]
    # Not `git log`: that one may be configured to check signatures, by a program that the configuration names.
    time, _, _ = repository.ask_line("rev-list", "-1", "--timestamp", "HEAD", "--", *found).partition(" ")
    return datetime.fromtimestamp(int(time), UTC) if time.isdecimal() else None


def _entries(listing: bytes) -> list[_Entry]:
    entries = []
    for line in listing.split(b"\0"):
        if line:
            facts, _, path = line.partition(b"\t")
            mode, _, object_id, size = facts.decode().split()
            found = int(size) if size.isdecimal() else None
            entries.append(_Entry(mode=mode, object_id=object_id, size=found, path=os.fsdecode(path)))
    return entries


def _too_much(entries: list[_Entry]) -> str:
    if any(entry.size is None for entry in entries):
        return "are not all in this repository (a partial clone: fetch it whole)"
    if len(entries) > _MOST_FILES or sum(entry.size or 0 for entry in entries) > _MOST_BYTES:
        return f"are more than {_MOST_FILES:,} or larger than {_MOST_BYTES >> 20} MiB together"
    return ""


def _contents(repository: Repository, entries: list[_Entry]) -> list[bytes] | None:
    """The content of each entry, as `git cat-file --batch` writes it: a line of facts, then the bytes."""
    asked = "".join(f"{entry.object_id}\n" for entry in entries)
    answer = repository.ask("cat-file", "--batch", stdin=asked.encode())
    contents, at = [], 0
    for entry in entries:
        start = (answer or b"").find(b"\n", at) + 1
        end = start + (entry.size or 0)
        if answer is None or start == 0 or len(answer) < end:
            return None
        contents.append(answer[start:end])
        at = end + 1
    return contents


def _write(entries: list[_Entry], contents: list[bytes], into: Path) -> tuple[str, ...]:
    """
    Write the files, then the links, so that nothing is written through a link. Returns the paths left out.

    Whatever wrote the objects did not have to keep git's rules: a name may be `..`, and a file and a folder may
    have the same name. Raises OSError where the files cannot be written for another reason.
    """
    skipped: list[str] = []
    links: list[str] = []
    for entry, content in sorted(zip(entries, contents, strict=True), key=lambda pair: pair[0].mode == _LINK):
        try:
            path = _place(into, entry.path)
            if entry.mode == _LINK:
                path.symlink_to(os.fsdecode(content))
                links.append(entry.path)
            else:
                with path.open("xb") as file:
                    file.write(content)
        except ValueError:
            skipped.append(entry.path)
        except OSError as error:
            if error.errno not in _ABOUT_NAMES:
                raise
            skipped.append(entry.path)
    for link in links:
        if not _is_inside(into / link, into):
            (into / link).unlink()
            skipped.append(link)
    return tuple(sorted(skipped))


def _place(into: Path, path: str) -> Path:
    """The place of a file, with its folders made. Raises ValueError where no file can have it, OSError."""
    *folders, name = path.split("/")
    if any(Path(part).parts != (part,) or part.lower() in ("..", ".git") for part in (*folders, name)):
        raise ValueError(path)
    at = into
    for part in folders:
        at /= part
        at.mkdir(exist_ok=True)
        if at.is_symlink():
            raise ValueError(path)
    return at / name


def _is_inside(link: Path, folder: Path) -> bool:
    target = Path(os.readlink(link))
    with contextlib.suppress(OSError, RuntimeError):  # RuntimeError: a circle of links, before Python 3.13
        return not target.is_absolute() and link.resolve().is_relative_to(folder.resolve())
    return False
