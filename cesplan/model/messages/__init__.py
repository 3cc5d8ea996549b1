"""
The messages of the API as typed models, with one file for each kind or shared message.

The marks of a field add what its type cannot express. Nothing here reads a file or sends a request.
"""
