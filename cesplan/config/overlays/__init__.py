"""
Environments: what `environments/<name>/` lays over the files of a tree, before anything is read as a resource.

The folder repeats the paths of the tree. Beside what is there, `agents/greeter.yaml` is merged over the
base file: mappings key by key, everything else replaced, `null` as in any file. `agents/greeter.patch.yaml`
then applies RFC 6902 operations. A file without a base is a resource of that environment alone; one that says
`$exclude: true` leaves the base resource out. Nothing here knows kinds, variables or references: nodes go in
and come out, and each keeps the file, line and column it came from.
"""
