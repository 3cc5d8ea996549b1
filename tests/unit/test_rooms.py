"""Folders of the package stay small enough to read at a glance, and imports are where one looks for them."""

import ast

from tests.sources import ROOT, names, texts, tree_of, words

CATALOGS = frozenset({"messages", "checks", "commands"})
"""Folders with one file for each entry of a list."""
MOST = 18


def test_no_folder_holds_more_than_18_modules():
    """A folder is a room: who looks for something reads its names in one go. Catalogs are read by name."""
    modules = [path for path in ROOT.rglob("*.py") if path.name != "__init__.py"]
    counts = {folder: sum(path.parent == folder for path in modules) for folder in {p.parent for p in modules}}
    too_large = {
        str(folder.relative_to(ROOT)): count
        for folder, count in counts.items()
        if count > MOST and folder.name not in CATALOGS
    }
    assert too_large == {}


def test_the_command_line_imports_ours_at_the_top():
    """What a run may not need waits by `lazily`. The first steps of the program do without even that."""
    first = {ROOT / "cli" / "main.py", ROOT / "cli" / "exit_codes.py"}
    late = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in texts()
        if path.is_relative_to(ROOT / "cli") and path not in first
        for function in ast.walk(tree_of(path))
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("cesplan")
    ]
    assert late == []


def test_frozen_dataclasses_are_made_the_cheap_way():
    """
    By the decorator of `cesplan.domain.frozen`: that of `dataclasses` takes 0.8 ms a class, in every command.

    The emulator, which shares no code with the rest, uses that of the standard library.
    """
    found = []
    for path, text in texts().items():
        if path.is_relative_to(ROOT / "emulator") or not names(text, words("frozen")):
            continue
        tree = tree_of(path)
        imported = {
            (node.module, name.name)
            for node in tree.body
            if isinstance(node, ast.ImportFrom)
            for name in node.names
        }
        calls = (
            call for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for call in node.decorator_list
        )
        is_frozen = any(
            item.arg == "frozen" for call in calls if isinstance(call, ast.Call) for item in call.keywords
        )
        if is_frozen and ("dataclasses", "dataclass") in imported:
            found.append(str(path.relative_to(ROOT)))
    assert found == []
