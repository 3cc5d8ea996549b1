"""
What CES resources look like: typed models of all thirteen kinds, and the table of facts about kinds.

One file a kind, shared messages beside them; each field carries its doc and marks (required, output-only,
reference, meaning of a list, limits, …). Everything generic reads them through `cesplan.model.spec` and
`cesplan.model.kinds`, which come from a compiled table and need no pydantic; editors read them as JSON Schema.
After a change of a model: `make schemas`.
The model must not compare, plan or talk to anything: it only says what is true of a kind.
"""
