"""
Drift: live changes that were not applied, separated from changes of the tree. `classify` makes a report from a
plan with origins and from the history of the app; the other modules filter, join and render reports. This
package reads no tree and calls no service, and it must not decide what to write.
"""
