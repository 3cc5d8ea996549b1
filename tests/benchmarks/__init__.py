"""
Benchmarks: the budgets of the design, measured; `make bench` prints the table.

Times are CPU seconds of a process of its own, the least of several runs, because other things happen on a
machine. What is held by tests is what does not depend on the machine: numbers of requests, and ratios of two
things measured side by side.
"""
