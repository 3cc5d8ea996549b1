"""
The only code that knows HTTP.

It contains credentials, transport, retries, and rate limits, long-running operations, listing all kinds of an
app, and the only translation of `google.rpc.Status` to our errors. It must not decide anything about plans: it
reads and writes what callers ask for, under the names that they give.
"""
