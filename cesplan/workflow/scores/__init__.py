"""
Scores: files of ADK in, a report of scores out.

Reads files and computes; no service is asked. It must not print or write.
"""
