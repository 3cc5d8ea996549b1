"""
Evaluations without a language model: runs whose verdicts a script gives, results, files.

It must not invent a verdict: what the script does not say ends as an error that says so.
"""
