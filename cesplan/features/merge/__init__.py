"""
Merge: live changes into the files of a tree, without losing an edit on either side.

`resources` and `fields` decide what is taken, kept, or a conflict; `app` does it for one app, `proof` reads
the tree as it would be in every environment before anything is written, and `write` edits the files.
`new_files` writes resources that have no file yet, for a plain pull too.
"""
