"""
Policy: the rules of a project, checked against every operation of a plan.

Rules are written in CEL under `policy` in cesplan.yaml, cases that prove them in `policy_test.yaml`. Rules see
only facts that may be shown: secrets are masked before. A verdict changes no plan by itself; `check` turns it
into refusals and notices.
"""
