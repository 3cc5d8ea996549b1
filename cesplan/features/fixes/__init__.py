"""
Fixes: the repairs that findings carry, made in the files.

An edit replaces words and nothing else; whether a word may be replaced was decided by the check that found it.
Nothing here reads or writes files.
"""
