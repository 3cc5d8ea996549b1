"""Attacks: each file builds what an attacker would send, and states what must not happen."""
