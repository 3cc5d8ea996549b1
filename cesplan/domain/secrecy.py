"""
Secrecy: which texts of one run must not be seen.

Secrets are found in the values that contain them. A composed text (`Bearer ${key}`) gives away its
parts too: a service that quotes only the key quotes the secret.
"""

from typing import Any

from cesplan.domain.text.template import values_in
from cesplan.domain.value import Secret, secrets_in

SHORTEST_PART = 6
"""Inside a longer text a shorter secret than this would be found by accident; whole texts at any length."""


def known_secrets(*values: Any) -> tuple[Secret, ...]:
    """Every secret inside values, each once, and the single variables as far as the texts tell them."""
    found: dict[str, Secret] = {}
    for secret in secrets_in(*values):
        found.setdefault(secret.text, secret)
        for name, text in values_in(secret.template, secret.text).items():
            found.setdefault(text, Secret((name,), text))
    return tuple(secret for text, secret in found.items() if text)
