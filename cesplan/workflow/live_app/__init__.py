"""
One live app that a command is about: which one is meant, the way to it, and what its resources are called.

A tree names the app where there is one; without a tree its full name or its project and location do. It must
not decide what is done with the app.
"""
