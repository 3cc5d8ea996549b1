"""
HTTP to services other than CES, on request of the user: webhooks, Cloud Storage objects, Secret Manager, Vertex
AI judges.

The URL of a webhook is a secret: messages, errors, and logs contain only its host. Redirects are never
followed, because the data would go to an unknown address. Nothing here decides what is sent, or when.
"""
