"""The entry point of `cesplan` and of `python -m cesplan`."""

from cesplan.cli.main import main

__all__ = ["main"]

if __name__ == "__main__":
    main()
