"""
Pipelines as texts: what `cesplan ci init` writes for each service, with places to fill (`@@name@@`).

They are data. How the places are filled is the business of `cesplan.workflow.pipelining`; this package must
hold no code.
"""
