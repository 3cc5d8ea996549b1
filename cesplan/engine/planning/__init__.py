"""
Differences into operations: drafts, masks, order, cycles, deletes, targets, and the guard.

Pure: a plan is made from values alone. `plan` is the whole way on one page.
"""
