"""
The only code that knows HTTP.

Credentials, transport, retry and rate, long-running operations, listing all kinds of an app, and the one
translation of `google.rpc.Status` into our errors. It must not decide anything about plans: it reads and
writes what it is given, under the names it is given.
"""
