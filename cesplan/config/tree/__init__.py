"""The whole tree: every app read, linked, and checked, with all problems in one run."""
