"""The service from the point of view of the settings: endpoints, quotas, and sources of secrets."""
