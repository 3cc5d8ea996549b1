"""The service as the settings see it: where it answers, and how many requests it takes."""
