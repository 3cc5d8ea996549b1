"""
Releases: a deployment serves a version only after that version has shown what a release file asks for.

`verdict` compares the findings with the release file. `split` and `canary` determine where the traffic is and
what to do next. `held` finds what plans and drift reports leave to a release. Everything here is pure: runs,
conversations, and deployments are passed in. This package must not lower the requirements of a release file.
"""
