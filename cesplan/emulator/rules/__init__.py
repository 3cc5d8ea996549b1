"""What a write must satisfy and what follows from it: references, derived fields, and checks."""
