"""
The service from the point of view of the settings: endpoints, quotas, and sources of secrets. And how
concurrent requests are sent and awaited.
"""
