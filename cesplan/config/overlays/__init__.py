"""
Environments: overlays from `environments/<name>/` on the files of a tree, applied before anything is read as a
resource.

The folder repeats the paths of the tree. `agents/greeter.yaml` is merged over the base file: mappings key by
key, everything else is replaced, and `null` has its usual meaning. Then `agents/greeter.patch.yaml` applies RFC
6902 operations. A file without a base is a resource of that environment only, and a file with `$exclude: true`
leaves the base resource out. Nothing here knows kinds, variables, or references: input and output are nodes,
and each node keeps the file, line, and column that it came from.
"""
