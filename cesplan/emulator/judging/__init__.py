"""
Vertex AI's evaluateInstances, beside the API of CES: deterministic metrics computed, judges by a script.

Requests are those of v1 and v1beta1 with one input; which metrics a version has is in `inputs`.
"""
