"""
Talking to agents: a smoke test on a deployment, as the gate of a release and `cesplan smoke` run it, and a
chat.

What serves is read before and after, so that nothing is said of a version that did not answer.
"""
