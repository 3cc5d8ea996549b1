"""Live resources in the terms of files: keys, and values that a file can say."""
