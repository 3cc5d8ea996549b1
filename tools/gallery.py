"""
Writes docs/gallery.md: ten changes of examples/support-desk as a terminal, a comment and a page show them.

Each change is made to a copy of the example, and the command is run on the embedded emulator, as a user would.
What differs each time (times, ids, digests, durations) is replaced by fixed values. Run it with

    python -m tools.gallery              # texts, comments, and pictures of the pages that changed
    python -m tools.gallery --no-pictures

A picture is what headless Chromium (on the PATH) shows of the page. docs/gallery/pictures.json records the
digest of the page that each was taken of, so a picture of an earlier page is known to be one, and is captioned
so. The pages themselves are not kept: `--pages FOLDER` writes them.
"""

import argparse
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch
from urllib.request import Request, urlopen

from cesplan.cli.running import run
from cesplan.emulator import EmbeddedEmulator

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "examples/support-desk"
PAGE = ROOT / "docs/gallery.md"
FOLDER = ROOT / "docs/gallery"
RECORD = FOLDER / "pictures.json"
PLACE = "projects/hearth-pine-prod/locations/us/apps/support-desk"
SIZE = (860, 640)
"""Of a picture, in pixels: the top of the page, where its verdict is."""
MOST_BYTES = 80_000
_COLUMNS = "100"
_LONGEST_COMMENT = 90
"""Lines of a comment that is shown on the page; a longer one has a file of its own."""

_APP = "apps/support-desk"
_BEFORE_TOOL = """\
  - description: No order data before verification.
    pythonCode: {$file: require-verification.py}
"""
_TIDY = """\
  - description: Order numbers in the form that the back end expects.
    pythonCode: {$file: orders.tidy-order-number.py}
"""
_DAYS = """\
RETURN_DAYS = {
    "none": 60,
    "birch": 60,
    "oak": 365,  # a year, as the shop says
    "pine": 365,
}"""
_DEDUCTED = """\
deducted = (
        0.0 if our_fault or value < 200 else PICKUP_FEE
    )"""
_RELEASE = """\
deployment: web-chat
suites: {smoke: {evaluations: {dataset: smoke}, repeats: 2, require: {each: 2 of 2}}}
limits: {sessions: 100}
canary: [{percent: 5, hold: 1h, conversations: 50}, {percent: 100}]
"""
_VOLATILE = (
    (re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?(?= UTC)"), "2026-11-20 17:40"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(?=Z)"), "2026-11-20T17:40:00"),
    (re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"), "5f0c7a52-31f4-4f0e-9a51-6a3d2f1b7c90"),
    (re.compile(r"\b[0-9a-f]{64}\b"), "0" * 64),
    (re.compile(r" {2,}(?=\d+ requests, )"), "   "),
    (re.compile(r"(?<=requests, )[\d.]+ m?s\b"), "0.6 s"),
    (re.compile(r"(?<= in )\d+(\.\d+)? m?s\b"), "1.9 s"),
)
"""What differs each time, and what the gallery has in its place."""


class Desk:
    """A copy of the example in a folder, and what is live of it in the environment `prod`."""

    def __init__(self, folder: Path, emulator: EmbeddedEmulator) -> None:
        self.folder, self.emulator = folder, emulator

    def replace(self, path: str, old: str, new: str) -> None:
        """Edit a file of the app; the old text must be there."""
        file = self.folder / _APP / path
        text = file.read_text(encoding="utf-8")
        if old not in text:
            raise SystemExit(f"{path} does not have: {old!r}")
        file.write_text(text.replace(old, new), encoding="utf-8")

    def write(self, path: str, text: str) -> None:
        (self.folder / _APP / path).write_text(text, encoding="utf-8")

    def remove(self, path: str) -> None:
        (self.folder / _APP / path).unlink()

    def rename(self, old: str, new: str) -> None:
        (self.folder / _APP / old).rename(self.folder / _APP / new)

    def edit_live(self, resource: str, mask: str, body: Mapping[str, object]) -> None:
        """Bob edits a resource in the console."""
        request = Request(
            f"http://{self.emulator.address}/v1beta/{PLACE}/{resource}?updateMask={mask}",
            data=json.dumps(body).encode(),
            headers={"x-emulator-author": "bob@acme.example", "Content-Type": "application/json"},
            method="PATCH",
        )
        urlopen(request).close()

    def type(self, *words: str) -> str:
        """Run a command in the folder, which must succeed; what it writes to stdout."""
        out, progress = io.StringIO(), io.StringIO()
        own = {"CES_EMULATOR_HOST": self.emulator.address, "COLUMNS": _COLUMNS, "NO_COLOR": "1"}
        environ = {name: text for name, text in os.environ.items() if not name.startswith("CESPLAN_")}
        environ.pop("CI", None)
        with (
            patch.dict(os.environ, {**environ, **own}, clear=True),
            redirect_stdout(out),
            redirect_stderr(progress),
        ):
            code = run(["-C", str(self.folder), *words])
        if code:
            raise SystemExit(f"cesplan {' '.join(words)} ended with {code}:\n{progress.getvalue()}")
        return out.getvalue()


def _word(desk: Desk) -> None:
    desk.replace("agents/billing.md", "within seven days", "within five days")


def _guardrail(desk: Desk) -> None:
    desk.replace("guardrails/card-numbers.yaml", "enabled: true", "enabled: false")


def _open_api(desk: Desk) -> None:
    path = "tools/track-parcel.openapi.yaml"
    desk.replace(path, "enum: [fjordpost, northline, own_fleet]", "enum: [northline, own_fleet]")
    desk.replace(
        path,
        "      responses:\n        '200':",
        "        - {name: postcode, in: query, required: true, schema: {type: string}}\n"
        "      responses:\n        '200':",
    )


def _python(desk: Desk) -> None:
    path = "tools/quote-refund.py"
    desk.replace(path, 'RETURN_DAYS = {"none": 60, "birch": 60, "oak": 365, "pine": 365}', _DAYS)
    desk.replace(path, "deducted = 0.0 if our_fault or value < 200 else PICKUP_FEE", _DEDUCTED)


def _callback(desk: Desk) -> None:
    desk.replace("agents/orders.yaml", _BEFORE_TOOL + _TIDY, _TIDY + _BEFORE_TOOL)


def _rename(desk: Desk) -> None:
    desk.rename("agents/gift-finder.yaml", "agents/gift-advisor.yaml")
    desk.replace("agents/product-advisor.yaml", "[gift-finder]", "[gift-advisor]")
    desk.replace("tools/ask-gift-finder.yaml", "agent: gift-finder", "agent: gift-advisor")


def _delete(desk: Desk) -> None:
    desk.remove("tools/loyalty-points.yaml")
    desk.replace("agents/billing.yaml", "  - loyalty-points\n", "")


def _release(desk: Desk) -> None:
    """A new version is live, and its evaluations pass."""
    desk.write("releases/web.yaml", _RELEASE)
    desk.replace("agents/billing.md", "within seven days", "within five days")
    desk.write("versions/release-2.yaml", "displayName: Release 2\n")
    desk.replace("deployments/web-chat.yaml", "appVersion: release-1", "appVersion: release-2")
    desk.type("apply", "-e", "prod", "--auto-approve", "--allow-revert", "all")
    desk.emulator.play({"evaluation": "*", "outcome": "PASS"})


def _live_edit(desk: Desk) -> None:
    desk.edit_live("agents/billing", "modelSettings.temperature", {"modelSettings": {"temperature": 0.9}})


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One entry: what is edited, what is typed then, and what to look at."""

    name: str
    title: str
    about: str
    edit: Callable[[Desk], None]
    typed: tuple[str, ...] = ("plan", "-e", "prod")
    is_first: bool = False
    """True if nothing is live yet."""


CHANGES = (
    Change(
        name="word",
        title="A word in a prompt",
        about="One word of a long instruction, with what reaches the agent and which deployments serve it.",
        edit=_word,
    ),
    Change(
        name="guardrail",
        title="A guardrail switched off",
        about="Weakened protection comes first in every report, with a code that policies can deny.",
        edit=_guardrail,
    ),
    Change(
        name="openapi",
        title="A breaking change of an OpenAPI document",
        about="The verdict is above the lines: what breaks callers is named first, each with its code.",
        edit=_open_api,
    ),
    Change(
        name="python",
        title="Reformatted Python",
        about="Equal syntax trees: many lines, and no change of what runs.",
        edit=_python,
    ),
    Change(
        name="callback",
        title="A moved callback",
        about="The order of callbacks decides which runs first. A move is a move, not two rewritten texts.",
        edit=_callback,
    ),
    Change(
        name="rename",
        title="A renamed agent",
        about="Another file name for the same agent changes nothing live; a notice says how to make it sure.",
        edit=_rename,
    ),
    Change(
        name="delete",
        title="A deleted tool that was in use",
        about="What is lost, who used it, and in which order the reference and the tool go.",
        edit=_delete,
    ),
    Change(
        name="live-edit",
        title="A revert of a live edit",
        about="Bob raised the temperature in the console. The plan names his edit before it takes it back.",
        edit=_live_edit,
    ),
    Change(
        name="release",
        title="A release",
        about="The gate runs the evaluations on the new version, and the first share of the traffic follows.",
        edit=_release,
        typed=("release", "start", "-e", "prod", "--auto-approve"),
    ),
    Change(
        name="first-plan",
        title="A first plan",
        about="Sixty-eight resources on one screen: what matters is named, the rest is counted.",
        edit=lambda desk: None,
        is_first=True,
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What a change looks like: in a terminal, in a comment, in a browser."""

    change: Change
    text: str
    comment: str
    page: str

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.page.encode()).hexdigest()


def shown() -> tuple[Shown, ...]:
    """Make every change, one after the other."""
    with _desk() as fresh:
        first = [_show(fresh, change) for change in CHANGES if change.is_first]
        fresh.type("apply", "-e", "prod", "--auto-approve")
        others = [_made(fresh, change) for change in CHANGES if not change.is_first]
    by_name = {item.change.name: item for item in (*first, *others)}
    return tuple(by_name[change.name] for change in CHANGES)


@contextmanager
def _desk() -> Iterator[Desk]:
    with TemporaryDirectory() as folder, EmbeddedEmulator() as emulator:
        yield Desk(_copy(Path(folder) / "support-desk"), emulator)


def _copy(folder: Path) -> Path:
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns(".cesplan"))
    return folder


def _made(live: Desk, change: Change) -> Shown:
    """The change in a copy of the tree of its own; what was made live stays for those after it."""
    with TemporaryDirectory() as folder:
        desk = Desk(_copy(Path(folder) / "support-desk"), live.emulator)
        change.edit(desk)
        return _show(desk, change)


def _show(desk: Desk, change: Change) -> Shown:
    with TemporaryDirectory() as folder:
        comment, page = Path(folder) / "comment.md", Path(folder) / "page.html"
        reports = ("--report", f"markdown={comment}", "--report", f"html={page}")
        text = desk.type(*change.typed, *reports)
        texts = (text, comment.read_text(encoding="utf-8"), page.read_text(encoding="utf-8"))
        said = [_fixed(item.replace(f" -C {desk.folder}", ""), desk) for item in texts]
    return Shown(change=change, text=said[0], comment=said[1], page=said[2])


def _fixed(text: str, desk: Desk) -> str:
    text = text.replace(str(desk.folder), "support-desk").replace(desk.emulator.address, "127.0.0.1:8470")
    for pattern, fixed in _VOLATILE:
        text = pattern.sub(fixed, text)
    return text


def gallery(found: Sequence[Shown], taken: Mapping[str, str]) -> dict[Path, str]:
    """The files of the gallery; `taken` are the digests of the pages that the pictures are of."""
    files = {FOLDER / f"{item.change.name}.md": item.comment for item in found if not _fits(item.comment)}
    files[PAGE] = "".join([_HEAD, *(_entry(item, taken) for item in found)])
    return files


_HEAD = """\
<!-- Written by `make gallery`; edit tools/gallery.py instead. -->

# Gallery

Ten changes of [examples/support-desk](../examples/support-desk/README.md), each as the terminal, the comment on
the pull request (`--report markdown=FILE`) and the page for a browser (`--report html=FILE`) show it.
[Reading a plan](reading-a-plan.md) says what the words mean. The commands wrote everything here, against the
emulator; times, ids and digests are replaced by fixed ones.

The pictures are the tops of the pages, 860 × 640 pixels; `make gallery` takes them with Chromium.
"""


def _entry(item: Shown, taken: Mapping[str, str]) -> str:
    change = item.change
    rows = [
        "",
        f"## {change.title}",
        "",
        change.about,
        "",
        "```text",
        f"$ cesplan {' '.join(change.typed)}",
        item.text.rstrip("\n"),
        "```",
        "",
    ]
    if _fits(item.comment):
        rows += ["The comment:", "", *(f"> {row}".rstrip() for row in item.comment.rstrip("\n").split("\n"))]
    else:
        size = len(item.comment.splitlines())
        rows.append(f"The comment has {size:,} lines: [{change.name}.md](gallery/{change.name}.md).")
    if (FOLDER / f"{change.name}.png").is_file():
        rows += ["", f"![The page of: {change.title}](gallery/{change.name}.png)"]
        if taken.get(change.name) != item.digest:
            rows += ["", "*The picture is of an earlier page.*"]
    return "\n".join([*rows, ""])


def _fits(comment: str) -> bool:
    return len(comment.splitlines()) <= _LONGEST_COMMENT


def recorded() -> dict[str, str]:
    """The digest of the page that each picture was taken of."""
    found: dict[str, str] = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.is_file() else {}
    return found


def take_pictures(found: Sequence[Shown], browser: str) -> dict[str, str]:
    """Take those whose page is another now; the digests of all pages that pictures are of."""
    taken = recorded()
    FOLDER.mkdir(exist_ok=True)
    for item in found:
        picture = FOLDER / f"{item.change.name}.png"
        if taken.get(item.change.name) == item.digest and picture.is_file():
            continue
        _take(item.page, picture, browser)
        taken[item.change.name] = item.digest
    kept = {item.change.name: taken[item.change.name] for item in found}
    RECORD.write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")
    return kept


def _take(page: str, picture: Path, browser: str) -> None:
    with TemporaryDirectory() as folder:
        source = Path(folder) / "page.html"
        source.write_text(page, encoding="utf-8")
        subprocess.run(
            (
                browser,
                *("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"),
                f"--user-data-dir={folder}/profile",
                f"--window-size={SIZE[0]},{SIZE[1]}",
                f"--screenshot={picture}",
                source.as_uri(),
            ),
            check=True,
            capture_output=True,
            timeout=120,
        )
    _shrink(picture)
    if picture.stat().st_size > MOST_BYTES:
        raise SystemExit(f"{picture} is larger than {MOST_BYTES:,} bytes.")


def _shrink(picture: Path) -> None:
    """A page has few colors: 64 of them look the same, at a third of the size."""
    from PIL import Image  # for the developers who take pictures only

    with Image.open(picture) as image:
        small = image.convert("RGB").quantize(64, dither=Image.Dither.NONE)
    small.save(picture, optimize=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="Write docs/gallery.md and its pictures.")
    parser.add_argument("--no-pictures", action="store_true", help="Leave the pictures as they are.")
    parser.add_argument("--pages", type=Path, metavar="FOLDER", help="Also write the pages there.")
    asked = parser.parse_args()
    found = shown()
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if browser is None and not asked.no_pictures:
        sys.exit("There is no Chromium on the PATH: install it, or leave the pictures with --no-pictures.")
    taken = recorded() if asked.no_pictures or browser is None else take_pictures(found, browser)
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.md"):
        old.unlink()
    for path, text in gallery(found, taken).items():
        path.write_text(text, encoding="utf-8")
    if asked.pages:
        asked.pages.mkdir(parents=True, exist_ok=True)
        for item in found:
            (asked.pages / f"{item.change.name}.html").write_text(item.page, encoding="utf-8")


if __name__ == "__main__":
    main()
