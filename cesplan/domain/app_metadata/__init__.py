"""What cesplan keeps in the metadata of a live app: the stamp of an apply, and a lease while one runs."""
