"""
Release files: what they may hold, read with the place of every mistake, and as a schema for editors.

One table, `file_shape`, is behind the reading and the schema. Nothing here asks what is live.
"""
