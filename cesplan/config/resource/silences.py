"""Silencing: which codes a file may turn off for itself."""

from cesplan.config.suggestions import nearest


def refusal(code: str) -> str:
    """Why a code cannot be silenced; empty if it can."""
    from cesplan.config.codes import CODES  # few files silence a code, and these are the pages of all

    known = CODES.get(code)
    if known is None:
        near = nearest(code, CODES)
        return f"unknown code `{code}`" + (f"; did you mean {near}?" if near else "")
    return "" if known.silenceable else f"{code} ({known.title}) cannot be silenced"
