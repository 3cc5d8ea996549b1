"""
Pipelines: the files that `cesplan ci init` writes for each CI service.

The templates are data, one folder a service, with placeholders (`@@name@@`); `files` fills them in.
"""
