"""
Promotion: two environments of one tree side by side, in files or live.

Compares by address, with ids and places left aside, and reports it. The plan for the second environment is an
ordinary plan; it is not made here.
"""
