"""
Evaluation: start a run of CES evaluations once, wait for it, and check its results against the request.

`choice` and `request` fix the demand; `starting` and `waiting` get a run to its end; `found_results` reads the
results, and `verdict` compares them with the demand; the reports show the outcome. Only `starting` writes: one
request. This package must not repeat a run until it passes.
"""
