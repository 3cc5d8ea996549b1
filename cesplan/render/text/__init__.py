"""Reports for people at a terminal: plans, outcomes, diagnostics, stale plans, and the rest."""
