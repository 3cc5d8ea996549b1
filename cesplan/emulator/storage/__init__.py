"""Resources and objects in SQLite. No rule of the API is here."""
