"""
Releases: a deployment serves a version only after that version has shown what a release file asks for.

`file_shape` says what a file may hold, `reading` and `references` make a Release of one. `verdict` holds what
was found against what was asked, `evidence` keeps it, `split` and `canary` say where the traffic is and what is
due. Everything here is pure: runs, conversations and deployments are handed in. It must not lower what a file
asks for.
"""
