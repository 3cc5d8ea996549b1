"""
The cache of results from reading the files of a tree. It saves time and has no other effect.

These are cached, by the digest of the content that they were made from:

- a resource file that was read without findings and whose variables have the values from cesplan.yaml: its
  body with references resolved, and its other inputs, which are checked again before use: each reference with
  its result, each variable with its value, each `$file` with the digest of its text;
- that the checks of one file alone found nothing in such a file, and what the checks across files ask about it:
  the names that it has and uses;
- what the checks need to know about an embedded text: the functions of a Python text, the operations of an
  OpenAPI document.

So it holds the content of the files of the tree. It never holds a secret, a value from the environment or the
command line (nothing made from a text with such a value is kept), a finding, or anything about the service.

A pack is one file with the entries of one app in one environment. It is used only if its authentication code (a
keyed BLAKE2b over the whole file) is valid and its fingerprint matches the files of this cesplan and this
Python. The key is not in the folder of the packs, so a file that someone else puts there, or that a pipeline
restores from a shared cache, is not even parsed. A pack is replaced as a whole, so if two runs write at once,
one wins. If the cache cannot be read or written, cesplan works as without one.

The cache must not be in a folder that a pull request can commit to: see `place`. This package knows neither
resources nor checks; `resource.kept`, `checks.facts`, and `cache.remembered` say what is cached of them.
"""
