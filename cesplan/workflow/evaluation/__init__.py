"""
Evaluating: an app is found, its evaluations are chosen, a run is started or found, waited for, and judged.

Everything is read over a connection that cannot write; only the start has one, which can do nothing else.
"""
