"""
From differences to operations: drafts, masks, order, cycles, deletes, targets, and the guard.

This package is pure: a plan depends only on values. The module `plan` shows the whole process on one page.
"""
