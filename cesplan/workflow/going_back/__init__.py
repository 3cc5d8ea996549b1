"""
Going back (`cesplan rollback`): what it would change is planned with a client that cannot write; a deployment
is written by the usual apply, a draft by the service's own restore, and both are read again afterwards.
"""
