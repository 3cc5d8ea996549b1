"""A tool of another field that compares files with what is live, on content of the same size: octoDNS."""

import importlib.util
import os
import random
import string
import sys
from pathlib import Path

from tests.benchmarks.measuring import Used, folder, measured

_SIZE = 4000
_CONFIG = """
providers:
  files: {{class: octodns.provider.yaml.YamlProvider, directory: {root}/files, default_ttl: 300}}
  live: {{class: octodns.provider.yaml.YamlProvider, directory: {root}/live, default_ttl: 300}}
zones:
  example.com.: {{sources: [files], targets: [live]}}
"""


def octodns(size: int, *, runs: int) -> Used | None:
    """What `octodns-sync` used to find no change in so many records; None where it is not installed."""
    if importlib.util.find_spec("octodns") is None:
        return None
    with folder() as root:
        zone = _zone(size)
        for side in ("files", "live"):
            (root / side).mkdir()
            (root / side / "example.com.yaml").write_text(zone)
        config = root / "config.yaml"
        config.write_text(_CONFIG.format(root=root))
        command = [str(Path(sys.executable).with_name("octodns-sync")), "--config-file", str(config), "--quiet"]
        return measured({"": command}, os.environ, runs=runs)[""]


def _zone(size: int) -> str:
    chance = random.Random(0)
    letters = string.ascii_letters + " " * 8
    values = ("".join(chance.choices(letters, k=_SIZE)) for _ in range(size))
    return "---\n" + "".join(
        f"r{number:06}:\n  type: TXT\n  value: {text!r}\n" for number, text in enumerate(values)
    )
