"""
Scripted faults: what goes wrong, for which request, and whether it has already happened.

A fault never changes a rule of the service. It changes when, whether, and how a response arrives, or what
someone else did in between. `specs` describes the documents, `registry` selects the faults for a request, and
`injecting` makes them happen.
"""

from cesplan.emulator.faults.registry import Faults

__all__ = ["Faults"]
