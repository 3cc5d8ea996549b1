"""
Scores: conversations of an agent beside the expected ones, as numbers, without a service or a model.

Holds ADK's two criteria that need no judge, Vertex's deterministic metrics, the files of ADK, and how goldens
of CES map to them. A value that a definition leaves open is not guessed: it is refused with the reason. It must
not run an agent, ask a judge, or decide what a release does with a score.
"""
