"""The Python of tools and callbacks: parsed and never run."""

import ast


def parsed(code: str) -> ast.Module:
    """
    Return the syntax tree of a piece of Python. Raise ValueError saying why there is none.

    Python's own parser gives up on deep nesting in several ways (`ast.parse` names RecursionError and
    MemoryError); here it is one.
    """
    try:
        return ast.parse(code)
    except (SyntaxError, ValueError) as error:
        raise ValueError(f"this is not Python: {error}") from error
    except (RecursionError, MemoryError) as error:
        raise ValueError("this is not Python: it is nested too deeply") from error
