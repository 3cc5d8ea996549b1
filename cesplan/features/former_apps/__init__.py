"""
Former apps: live apps that this tree was applied to and that no longer have a folder in it. They are listed,
and deleted only if the user names them. The stamp alone says which tree an app belongs to; without a name of
the tree (`tree:` in cesplan.yaml, or its path in git), no app is claimed.
"""
