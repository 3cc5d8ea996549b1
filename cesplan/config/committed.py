"""
A tree as of a commit: the files of an older commit, written to another folder.

Only git objects are read. No branch, index, or working tree is touched, and git attributes are ignored.
"""

import contextlib
import errno
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from cesplan.config.files import MOST_DATA, MOST_ENTRIES
from cesplan.config.git import Repository, repository_of
from cesplan.domain.app_metadata.stamp import is_commit_id
from cesplan.domain.frozen import dataclass

_LINK = "120000"
_SUBMODULE = "160000"
_LONGEST_SUBJECT = 200
_ABOUT_NAMES = (errno.EEXIST, errno.ENOTDIR, errno.EISDIR, errno.ENAMETOOLONG, errno.EILSEQ, errno.EINVAL)
"""Write errors that are caused by the name of a file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractedTree:
    """
    A tree in a folder. `trouble` says why there is none, and is empty if there is one.

    `skipped` are the paths that were left out: links out of the tree, and names that no file can have.
    """

    trouble: str = ""
    skipped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """One line of `git ls-tree`."""

    mode: str
    object_id: str
    path: str


class _Unreadable(Exception):
    """Why the files of a commit cannot be read."""


def extract_tree(root: Path, commit: str, into: Path) -> ExtractedTree:
    """Write the tree around a folder, as of a commit, to an empty folder."""
    if not is_commit_id(commit):
        return ExtractedTree(trouble="the stamp does not name the full id of a commit")
    repository = repository_of(root)
    if repository is None or repository.output("rev-parse", "--git-dir") is None:
        return ExtractedTree(trouble="the tree is not in a git repository")
    short = commit[:12]
    if repository.output("cat-file", "-e", f"{commit}^{{commit}}") is None:
        return ExtractedTree(
            trouble=f"the commit {short} is not in this repository (in a shallow clone, fetch it)"
        )
    tree = repository.output_text("rev-parse", "--verify", "--quiet", f"{commit}:{repository.folder}")
    if not tree:
        return ExtractedTree(trouble=f"the commit {short} does not have this folder")
    try:
        entries = _entries(repository, tree)
        return ExtractedTree(skipped=_write(entries, _contents(repository, entries), into))
    except _Unreadable as error:
        return ExtractedTree(trouble=f"the files of the commit {short} {error}")
    except OSError as error:
        return ExtractedTree(trouble=f"the files of the commit {short} cannot be written: {error.strerror}")


def committed_at(root: Path, paths: tuple[str, ...]) -> datetime | None:
    """When a commit last changed one of these files; None if no commit contains them."""
    repository = repository_of(root)
    if repository is None:
        return None
    found = [str(PurePosixPath(repository.folder, path)) for path in paths]
    # Not `git log`, which can be configured to check signatures with a program named in the configuration.
    time, _, _ = repository.output_text("rev-list", "-1", "--timestamp", "HEAD", "--", *found).partition(" ")
    return datetime.fromtimestamp(int(time), UTC) if time.isdecimal() else None


def subjects_of(root: Path, commits: Iterable[str]) -> dict[str, str]:
    """
    The first lines of the messages of commits (full ids) that the repository around a folder has.

    Each is at most 200 characters. Missing commits, as in a shallow clone, are left out.
    """
    commit_ids = sorted({item for item in commits if is_commit_id(item)})
    repository = repository_of(root) if commit_ids else None
    if repository is None:
        return {}
    # Not `git log`, as above.
    query = "".join(f"{item}\n" for item in commit_ids).encode()
    answer = repository.output("cat-file", "--batch", stdin=query) or b""
    found = {}
    for commit, kind, data in _objects(answer, commit_ids):
        if kind == b"commit":
            _, _, message = data.partition(b"\n\n")
            found[commit] = message.decode(errors="replace").strip().partition("\n")[0][:_LONGEST_SUBJECT]
    return found


def _objects(answer: bytes, object_ids: list[str]) -> Iterator[tuple[str, bytes, bytes]]:
    """The objects in an answer of `git cat-file --batch`: id, type (empty: missing) and content."""
    at = 0
    for object_id in object_ids:
        start = answer.find(b"\n", at) + 1
        facts = answer[at:start].split()
        if len(facts) != 3:  # `<id> missing`
            at = start
            yield object_id, b"", b""
            continue
        end = start + int(facts[2])
        yield object_id, facts[1], answer[start:end]
        at = end + 1


def _entries(repository: Repository, tree: str) -> list[_Entry]:
    listing = repository.output("ls-tree", "-r", "-z", "--full-tree", tree)
    lines = (listing or b"").split(b"\0")[:-1]
    if listing is None or len(lines) > MOST_ENTRIES:
        raise _Unreadable(f"are more than {MOST_ENTRIES:,}, or cannot be listed")
    entries = []
    for line in lines:
        facts, _, path = line.partition(b"\t")
        mode, _, object_id = facts.decode().split()
        if mode != _SUBMODULE:
            entries.append(_Entry(mode=mode, object_id=object_id, path=os.fsdecode(path)))
    return entries


def _contents(repository: Repository, entries: list[_Entry]) -> dict[str, bytes]:
    """The contents of all entries by object."""
    object_ids = sorted({entry.object_id for entry in entries})
    query = "".join(f"{object_id}\n" for object_id in object_ids).encode()
    answer = repository.output("cat-file", "--batch", stdin=query, most=MOST_DATA)
    if answer is None:
        raise _Unreadable(f"are larger than {MOST_DATA >> 20} MiB in total, or cannot be read")
    contents = {}
    for object_id, kind, content in _objects(answer, object_ids):
        if not kind:
            raise _Unreadable("are not all in this repository (a partial clone: fetch it whole)")
        contents[object_id] = content
    if sum(len(contents[entry.object_id]) for entry in entries) > MOST_DATA:
        raise _Unreadable(f"are larger than {MOST_DATA >> 20} MiB in total")
    return contents


def _write(entries: list[_Entry], contents: Mapping[str, bytes], into: Path) -> tuple[str, ...]:
    """
    Write the files, then the links, so that nothing is written through a link. Returns the paths left out.

    The objects may break git's rules: a name may be `..`, and a file and a folder may have the same name.
    Raises OSError if the files cannot be written for another reason.
    """
    skipped: list[str] = []
    links: list[str] = []
    folders: dict[str, Path] = {}
    for entry in sorted(entries, key=lambda entry: entry.mode == _LINK):
        content = contents[entry.object_id]
        try:
            path = _place(into, entry.path, folders)
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


def _place(into: Path, path: str, folders: dict[str, Path]) -> Path:
    """
    The path of a file, whose folders are created; `folders` are the ones that were, by their paths in the tree.

    Raises ValueError if no file can have this path, and OSError.
    """
    above, slash, name = path.rpartition("/")
    _check_name(name)
    if not slash:
        return into / name
    if above not in folders:
        folders[above] = _folder(into, above.split("/"))
    return folders[above] / name


def _folder(into: Path, names: Sequence[str]) -> Path:
    for name in names:
        _check_name(name)
    at = into
    for name in names:
        at /= name
        at.mkdir(exist_ok=True)
        if at.is_symlink():
            raise ValueError(at)
    return at


def _check_name(name: str) -> None:
    """Raises ValueError if no file can have this name."""
    if Path(name).parts != (name,) or name.lower() in ("..", ".git"):
        raise ValueError(name)


def _is_inside(link: Path, folder: Path) -> bool:
    target = Path(os.readlink(link))
    with contextlib.suppress(OSError, RuntimeError):  # RuntimeError: a link loop, before Python 3.13
        return not target.is_absolute() and link.resolve().is_relative_to(folder.resolve())
    return False
