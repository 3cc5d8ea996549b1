"""Silencing: which codes a file can turn off."""

from cesplan.config.suggestions import nearest


def refusal(code: str) -> str:
    """Why a code cannot be silenced; empty if it can."""
    from cesplan.config.codes import CODES  # imports the pages of all codes, and few files silence one

    known = CODES.get(code)
    if known is None:
        near = nearest(code, CODES)
        return f"unknown code `{code}`" + (f"; did you mean {near}?" if near else "")
    return "" if known.silenceable else f"{code} ({known.title}) cannot be silenced"
