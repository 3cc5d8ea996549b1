"""
Scripted sessions, in which the agent reacts to what a person says, and scripted tool execution.

`script` reads the file; `sessions` answers `:runSession` and `:streamRunSession` and keeps each conversation;
`turns` records the events of a turn; `tools` answers `:executeTool`. No language model and no code of an app is
run. Without a script the methods return UNIMPLEMENTED.
"""
