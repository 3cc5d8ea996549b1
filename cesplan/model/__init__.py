"""
What CES resources look like: typed models of all thirteen kinds, and the table of facts about kinds.

One file a kind, shared messages beside them; each field carries marks (required, output-only, reference,
meaning of a list, …) that everything generic reads through `cesplan.model.spec` and `cesplan.model.kinds`.
The model must not compare, plan or talk to anything: it only says what is true of a kind.
"""
