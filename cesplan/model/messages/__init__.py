"""
The messages of the API as typed models: one file for each kind or shared message.

A field's marks say what is true of it beyond its type. Nothing here reads a file or sends a request.
"""
