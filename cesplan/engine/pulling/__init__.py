"""Live resources in the form of files: keys, and values that a file can express."""
