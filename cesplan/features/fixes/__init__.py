"""
Fixes: the repairs of findings, as edits of files. An edit only replaces words; the check that found the problem
decides whether a word may be replaced. Nothing here reads or writes files.
"""
