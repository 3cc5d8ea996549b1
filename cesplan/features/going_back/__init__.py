"""
Going back: the version that a deployment returns to, and the resulting changes as plans.

`earlier` chooses the version from what the deployment served; `desired_state` describes the deployment and the
draft as a tree would, so that the planner shows every difference; `kept_metadata` keeps metadata that a restore
must not change; `text_report` renders the messages. This package sends no requests.
"""
