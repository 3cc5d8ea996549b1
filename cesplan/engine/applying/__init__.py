"""
Applying a plan through a port to the service: schedule, sends, lost responses, outcomes, rollback.

This is the only package of the engine that calls the service, through the few methods in `ports`.
"""
