"""
Drift: what is live and was not applied, told apart from what the tree changed since.

`classify` makes a report of a plan with origins and of what the history of the app knows; the rest
filters, joins and renders reports. It reads no tree and calls no service by itself, and it must not decide what
to write.
"""
