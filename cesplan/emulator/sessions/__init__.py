"""
Sessions by a script: what a person says, and what the agent does then; and tools that are executed.

`script` reads the file; `sessions` answers `:runSession` and `:streamRunSession` and keeps each conversation;
`turns` writes down what happens in a turn; `tools` answers `:executeTool`. No language model and no code of an
app is run: without a script the methods answer UNIMPLEMENTED.
"""
