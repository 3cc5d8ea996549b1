"""
A plan carried out over a port to the service: schedule, sends, lost answers, outcomes, rollback.

The only room of the engine that talks to the service, through the few methods of `ports`.
"""
