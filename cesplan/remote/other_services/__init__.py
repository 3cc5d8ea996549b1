"""
HTTP to services other than CES that the user asks for: webhooks, objects of Cloud Storage, judges of Vertex AI.

A webhook's URL is a secret: no message, error or log has more of it than its host. Redirects are never
followed, because what is sent would go to an unknown address. Nothing here decides what is sent, or
when.
"""
