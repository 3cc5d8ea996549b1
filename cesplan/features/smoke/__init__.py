"""
Smoke: an agent is talked to, and what it did is compared with what was expected.

`directory` knows what agents and tools are called; `replies` reads an answer; `judging` compares it with a
step; `running` talks, through a port, within limits; the reports say it. It must not repeat a step until it
passes, and what cannot be seen has not passed.
"""
