"""The conflict markers that a merge leaves in a text where two edits collide."""

import re

MARKS = re.compile(r"^(<{7}|\|{7}|={7}|>{7})(?= |\r?$)", re.MULTILINE)


def line_of_markers(text: str) -> int:
    """The line, from 1, of the first conflict marker that is left in a text; 0 if there is none."""
    found = ""
    first = 0
    for match in MARKS.finditer(text) if "<<<<<<<" in text else ():
        sign = match[0][0]
        if sign == "<":
            found, first = sign, text.count("\n", 0, match.start()) + 1
        elif found and sign == "|":
            found += sign if found == "<" else ""
        elif found and sign == "=":
            found += sign
        elif found.endswith("=") and sign == ">":
            return first
    return 0
