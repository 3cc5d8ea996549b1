"""
Releases: a deployment serves a version only after that version has shown what a release file asks for.

`files` reads release files. `verdict` holds what was found against what was asked, `split` and `canary` say
where the traffic is and what is due, `held` what plans and drift reports leave to a release. All here is pure:
runs, conversations and deployments are handed in. It must not lower what a file asks for.
"""
