"""
What CES resources look like: typed models of all thirteen kinds, and the table of kinds.

There is one file per kind, and shared messages have their own. Each field carries its doc and marks (required,
output-only, reference, meaning of a list, limits, …). Generic code reads them through `cesplan.model.spec`,
which loads a compiled table without pydantic, and `cesplan.model.kinds`; editors read them as JSON Schema.
After changing a model, run `make schemas`. The model must not compare, plan, or connect to anything. It only
describes kinds.
"""
