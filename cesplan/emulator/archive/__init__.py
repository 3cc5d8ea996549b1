"""
The official export layout (docs/api-facts.md): an app as a ZIP of files, written and read.

It must not share anything with the client's reading of the same layout, so that each can judge the
other. Choices about undocumented parts of the layout are explained where they are made.
"""
