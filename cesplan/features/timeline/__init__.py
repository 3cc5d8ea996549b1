"""
The timeline: an app's change log as applies, and the edits between them.

`grouping` turns entries into events as they arrive, `naming` finds the tree resource of an entry; the reports
show the result. Single entries are read through a function that is passed in. Only the entries that open events
need are kept, never the log. This package must not decide whether an edit is drift.
"""
