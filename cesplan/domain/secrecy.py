"""
Secrecy: which texts of a run must not be shown.

Secrets are collected from the values that contain them. For a composed text (`Bearer ${key}`) the parts count
too, because a service that quotes only the key reveals the secret.
"""

from collections.abc import Iterable
from typing import Any

from cesplan.domain.desired import DesiredResource
from cesplan.domain.text.template import values_in
from cesplan.domain.value import Secret, secrets_in

SHORTEST_PART = 6
"""A shorter secret would match inside longer texts by accident, so it only hides texts equal to it."""


def known_secrets(*values: Any) -> tuple[Secret, ...]:
    """All distinct secrets inside values, and the values of their variables as far as the texts reveal them."""
    found: dict[str, Secret] = {}
    for secret in secrets_in(*values):
        found.setdefault(secret.text, secret)
        for name, text in values_in(secret.template, secret.text).items():
            found.setdefault(text, Secret((name,), text))
    return tuple(secret for text, secret in found.items() if text)


def secrets_of(variables: Iterable[Secret], files: Iterable[DesiredResource]) -> tuple[Secret, ...]:
    """
    Every secret of resource files: the values of the secret variables, and the texts composed of them.

    Secrets come into files by variables alone: where there are none, no file is looked at.
    """
    known = tuple(variables)
    if not known:
        return ()
    return known_secrets(known, *(value for item in files for value in (item.body, dict(item.extra))))
