"""
Releases: a candidate is evaluated and judged, and traffic is moved to it step by step. `opening` finds the
release and reads live, `gating` runs what it requires, `moving` writes the split of its deployment and nothing
else, `watching` reads the conversations of a canary. Only `gating` starts runs and only `moving` writes.
"""
