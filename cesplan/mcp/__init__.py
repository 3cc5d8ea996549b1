"""
The Model Context Protocol: what coding agents may ask of a tree and of what is live, over stdin and stdout.

Each tool is one call of a workflow, with typed input and output; the shapes of the reports are those of
`--format json`. The tools read: their connections let through reading methods only. The one that writes exists
only if a person started the server with the checksum of a plan, and applies that plan, once.

It must not know more of a plan than the workflows say, and nothing but the protocol goes to stdout.
"""
