"""The rules for writes: references, derived fields, and checks."""
