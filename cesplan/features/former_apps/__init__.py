"""
Former apps: live apps that this tree was applied to and that no folder of it means any more.

They are listed, and deleted only where a person names them. The stamp alone says whose an app is; without a
name of the tree (`tree:` in cesplan.yaml, or its path in git) no app is claimed.
"""
