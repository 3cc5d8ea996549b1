"""
The cache of what reading the files of a tree found: it saves time, and changes nothing else.

What is kept, by the digest of the content it was made from:

- a resource file that was read without a finding, and whose variables have the values that cesplan.yaml gives
  them: its body with references resolved, and what that took beside its text: each reference with its answer,
  each variable with its value, each `$file` with the digest of its text. These are asked again before use;
- what the checks need of an embedded text: the functions of a Python text, the operations of an OpenAPI
  document.

So it holds what the files of the tree say, and never a secret, a value from the environment or the command line
(nothing is kept that is made of a text with one of these inside), a finding, or anything about the service.

A pack is one file with the entries of one app in one environment. It counts only if its code (a keyed BLAKE2b
over all of it) is right, and if its fingerprint is that of this cesplan, its files included, and of this
Python. The key is not in the folder of the packs: so what somebody else puts there, or what a pipeline restores
from a shared cache, is not even parsed. A pack is replaced as a whole, so that of two runs at once one wins.
What cannot be read or written is as if there were no cache.

It must not be in a folder that a pull request can commit: see `place`. This package knows no resource and no
check; `resource.kept` and `checks.kept_texts` say what is kept of theirs.
"""
