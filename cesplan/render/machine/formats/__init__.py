"""
The shapes of all machine-readable output, as pydantic models that write, read, and check it. Each field has a
docstring; the JSON Schemas in `schemas/reports` and `docs/reports.md` are made from them. Only code that writes
or reads JSON imports this package: importing pydantic takes longer than a text report.
"""
