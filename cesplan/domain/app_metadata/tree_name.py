"""The name of a tree: `tree:` in cesplan.yaml, and what a stamp says."""

import re

TREE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/:@+%-]{0,255}")
