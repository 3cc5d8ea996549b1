"""
The entry point of `cesplan` and of `python -m cesplan`.

In a folder that is not trusted only the first is safe: `python -m` looks for modules in the working directory
before anything of cesplan runs.
"""

from cesplan.cli.main import main

__all__ = ["main"]

if __name__ == "__main__":
    main()
