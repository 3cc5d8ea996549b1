"""A plan that was reviewed, compared with what is live by now: it still holds, or it is stale."""
