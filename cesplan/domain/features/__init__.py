"""The values of features: what a merge, a policy and a promotion come to, for those who report it."""
