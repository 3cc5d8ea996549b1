"""
The shapes of all that is written for machines, as pydantic models: they write it, and read and check it again.

Each field is documented where it is; the JSON Schemas in `schemas/reports` and `docs/reports.md` are made
of them. Only what writes or reads JSON imports this room: pydantic costs more than a text report takes.
"""
