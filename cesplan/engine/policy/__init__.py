"""
Policy: the rules of a project, asked about every operation of a plan.

It is given facts that are fit to be shown (secrets are masked before), so no rule and no message can tell what
must not be known. It decides nothing about plans: what comes of a verdict is the workflow's business.
"""
