"""
Vertex AI's evaluateInstances, in addition to the CES API: deterministic metrics are computed, and judges follow
a script.

Requests are those of v1 and v1beta1 with one input. `inputs` lists the metrics of each version.
"""
