"""
Capabilities that need configuration, the service, the engine, and rendering together.

Each package is one capability, whole in its own folder: what it reads, its rules, and how it is reported.
Packages do not import each other; all may use `history`. Values that they share with others are in `domain`;
`workflow` calls them.
"""
