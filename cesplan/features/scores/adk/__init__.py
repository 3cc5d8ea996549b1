"""
The files of ADK: eval sets, results of eval sets, and test configurations, read as ADK reads them and written
so that it loads them.

Reads what ADK reads, and refuses what ADK refuses and what JSON itself does not define. It must not compute a
score.
"""
