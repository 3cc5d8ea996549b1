"""
Evaluations without a language model: runs with verdicts from a script, results, files.

It must not invent verdicts: anything that the script does not cover ends in an error that says so.
"""
