"""
The values of features: the results of a merge, a policy, a promotion, and others, for the code that reports
them.
"""
