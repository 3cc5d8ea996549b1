"""
The live app of a command: which one it is, how to reach it, and the names of its resources. It comes from the
tree, or without a tree from a full name or a project and location. This package must not decide what is done
with the app.
"""
