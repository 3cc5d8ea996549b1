"""
Evaluating: an app is found, its evaluations are chosen, a run is started or found, waited for, and judged.

Everything is read over a connection that cannot write; only the start uses one that can, and that can do
nothing else.
"""
