"""
Impact: what a change reaches, and the graph of references that shows it. `reaching` searches the references of
one state of an app, `plan` calls it for every operation. Pure: the references were found when the plan was
made. It must not decide whether a change is allowed.
"""
