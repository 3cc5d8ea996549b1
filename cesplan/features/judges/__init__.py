"""
Judges: ADK criteria that a model decides, through Vertex AI's evaluateInstances, failing closed. `prompts` and
`turns` build the requests, `answers` reads the responses, `votes` turns them into scores, and `judging` goes
through all turns within the limits. It must not compute criteria that need no model, run an agent, or
decide what a release does with a score.
"""
