"""
The Model Context Protocol: what coding agents can ask about a tree and its live resources, over stdin and
stdout.

Each tool is one call of a workflow, with typed input and output; the shapes of the reports are those of
`--format json`. The tools only read: their connections allow only read methods. The tool that writes exists
only if a person started the server with the checksum of a plan, and it applies that plan, once.

It must not know more about a plan than the workflows do, and only the protocol goes to stdout.
"""
