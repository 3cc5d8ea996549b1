"""Resources and objects in SQLite. The rules of the API are elsewhere."""
