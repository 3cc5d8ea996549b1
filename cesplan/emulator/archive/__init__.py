"""
The official export layout (docs/api-facts.md): an app as a ZIP of files, for export and import. It must not
share code with the client's implementation of the same layout, so that each can check the other. Choices about
undocumented parts of the layout are explained where they are made.
"""
