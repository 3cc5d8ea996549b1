"""
What cesplan keeps in the metadata of a live app: the stamp of the last apply, and a lease while an apply runs.
"""
