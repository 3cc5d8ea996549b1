"""The whole tree: all apps are read, linked, and checked, and all problems are reported in one run."""
