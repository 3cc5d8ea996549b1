"""
Evaluation: runs of CES evaluations, started once, waited for, and checked against what was requested.

`choice` and `request` fix the demand; `starting` and `waiting` get a run to its end; `found_results` reads what
it found and `judge` compares it with the demand; the reports say it. Only `starting` writes: one request.
It must not run anything again until it passes.
"""
