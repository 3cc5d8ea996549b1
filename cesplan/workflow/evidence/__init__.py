"""
Evidence of releases on disk: written by gates and moves, read by policies and by `abort`.

It must not decide anything: the results of a gate are read from the service again before traffic is moved.
"""
