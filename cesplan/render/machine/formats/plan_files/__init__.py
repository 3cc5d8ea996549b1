"""The format of a plan file: a plan with all that an apply needs, and with every secret taken out."""
