"""
Capabilities that need configuration, the service, the engine and rendering together.

Each package is one capability, whole in its own folder: what it reads, its rules, and how it is reported.
Packages do not import each other. Values that they share with others stand in `domain`; `workflow` calls them.
"""
