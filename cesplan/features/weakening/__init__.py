"""
Weakened protection: which operations of a plan let pass, trust or keep more than before.

The direction in which protection falls is a mark of the field in the model (`Protects`), or a fact of its kind;
nothing here knows a field.
"""
