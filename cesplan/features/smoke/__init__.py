"""
Smoke: talk to an agent, and compare its actions with the expected ones.

`directory` knows the names of agents and tools; `replies` reads an answer; `verdict` compares it with a step;
`running` sends the steps through a port, within limits; the reports show the result. This package must not
repeat a step until it passes. An expectation that cannot be checked has not passed.
"""
