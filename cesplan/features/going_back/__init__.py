"""
Going back: to which version a deployment goes back, and what that changes, as plans.

`earlier` chooses the version from what the deployment served; `wanted` says the deployment and the draft as a
tree would, so that the planner shows every difference; `kept_metadata` keeps what is not the version's to
decide; `text_report` says it. Nothing is sent here.
"""
