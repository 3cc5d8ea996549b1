"""
Scores: conversations of an agent compared with the expected ones, as numbers, without a service or a model.
Contains ADK's two criteria that need no judge, Vertex's deterministic metrics, the ADK files, and the mapping
of CES goldens to them. A value that a definition leaves open is not guessed: there is no score, with the
reason. It must not run an agent, ask a judge, or decide what a release does with a score.
"""
