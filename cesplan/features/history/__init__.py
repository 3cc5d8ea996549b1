"""
History: which state was last applied, and who changed what since.

Nothing is stored for it: the stamp on the app, git, the snapshots of versions, and the change log know it.
Every other feature may use this package; it uses none of them.
"""
