"""
Edits of hand-written files: only changed values are rewritten, everything else stays byte for byte.

`syntax` locates all values in a text. `reconciling` walks the text together with the old and the new value and
produces splices. `scalar_edits` keeps styles, and `variable_texts` keeps `${…}`. `resource_edits` combines
them, and reads the result again to verify it. Nothing here decides what should change.
"""
