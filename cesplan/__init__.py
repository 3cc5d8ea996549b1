"""
Config as code for Google CES: a tree of YAML files, compared with the live service, planned, and applied.

The command line lives in `cesplan.cli`; programs use `cesplan.workflow`. This file stays empty of
imports so that `cesplan --version` starts as fast as the interpreter allows.
"""

__version__ = "0.1.0"
