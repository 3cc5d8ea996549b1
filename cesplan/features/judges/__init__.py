"""
Judges: criteria of ADK that a model decides, asked over Vertex AI's evaluateInstances, and failing closed.

`prompts` and `questions` say what is asked, `answers` reads what comes back, `votes` makes scores of it, and
`judging` goes through all turns within the limits. It must not compute what needs no model, run an agent, or
decide what a release does with a score.
"""
