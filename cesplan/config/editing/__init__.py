"""
Edits of hand-written files: only the lines of what changed, everything else byte for byte.

`syntax` knows where every value is in a text, `reconciling` walks it beside the old and the new value and
makes splices, `scalar_edits` keeps styles, `variable_texts` keeps `${…}`, `resource_edits` puts it together and
reads the result again before anyone trusts it. Nothing here decides what should change.
"""
