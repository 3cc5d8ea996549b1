"""
Drift: changes made live, as opposed to changes of the tree that are not applied. `classify` makes a report
from a plan with origins and from the history of the app; the other modules filter, join, and render reports.
This package does not read trees or call a service, and it must not decide what to write.
"""
