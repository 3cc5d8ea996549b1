"""
Attacks, each written as the attacker would make it, one file for each place that hostile bytes come from.

`traps` has what the attacks share: programs that leave a mark when they run.
"""
