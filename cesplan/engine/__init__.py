"""
The core of cesplan: comparing, planning, applying, reviewing, and pulling.

Each stage is a function from values to values. Only applying has effects, through a port with a few methods.
The engine must not read files, know HTTP, or print. It must not know kinds by name: whatever is special about a
kind is data in `cesplan.model`.
"""
