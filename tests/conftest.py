"""Settings of all tests."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "cesplan",
    settings.default,
    # How long an example takes says something about the machine, not about the code.
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("cesplan")
