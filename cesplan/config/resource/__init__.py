"""One resource file: directives, references, and values, each checked against its field."""
