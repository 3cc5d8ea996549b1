"""
Values to text: plans, outcomes, and diagnostics for people and for machines.

Text for terminals and logs, JSON for programs. It must not do I/O, decide anything, or see a secret: its input
is already redacted.
"""
