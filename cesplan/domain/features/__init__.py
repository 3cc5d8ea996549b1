"""The values of features: the results of a merge, a policy, and a promotion, for those who report them."""
