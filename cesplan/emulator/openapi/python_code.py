"""The Python code of tools and callbacks, which is parsed but never run."""

import ast


def parsed(code: str) -> ast.Module:
    """
    Return the syntax tree of Python code. Raise ValueError, which says why, for invalid code.

    Python's parser fails on deep nesting in several ways (`ast.parse` documents RecursionError and
    MemoryError). They are converted to ValueError.
    """
    try:
        return ast.parse(code)
    except (SyntaxError, ValueError) as error:
        raise ValueError(f"this is not Python: {error}") from error
    except (RecursionError, MemoryError) as error:
        raise ValueError("this is not Python: it is nested too deeply") from error
