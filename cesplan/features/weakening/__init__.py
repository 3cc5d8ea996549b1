"""
Weakened protection: operations of a plan that block less, trust more, or retain more than before. The weaker
direction is a mark of the field in the model (`Protects`), or a fact of its kind; nothing here knows a field.
"""
