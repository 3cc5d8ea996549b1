"""
Scripted faults: what goes wrong, with which request, and whether it has already.

A fault never changes a rule of the service; it changes when, whether and how an answer arrives, or
what someone else did in between. `specs` describes the documents, `registry` hands them out,
`injecting` lets them happen.
"""

from cesplan.emulator.faults.registry import Faults

__all__ = ["Faults"]
