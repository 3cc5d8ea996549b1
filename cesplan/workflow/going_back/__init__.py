"""
Going back (`cesplan rollback`): the changes are planned with a client that cannot write; a deployment is
written with a normal apply, a draft with the service's own restore, and both are read again afterwards.
"""
