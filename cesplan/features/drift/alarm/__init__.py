"""
The alarm: it announces drift once when it appears, once when it changes, and once when it is gone.

Rules keep accepted differences out of it; a fingerprint says whether two reports mean the same drift; a memory
that the user names says what was announced; receivers are webhooks; metrics are a file for Prometheus. Nothing
here reads the service: a report comes in, and what is sent out names resources, fields, and authors, never
values.
"""
