"""
The timeline: an app's change log as applies, and the edits between them.

`grouping` makes events of entries while they arrive, `naming` says which file of the tree an entry is about;
the reports show the result. It reads single entries through a function that it is given, and it keeps what the
open events need, never the log. It must not decide whether an edit is drift.
"""
