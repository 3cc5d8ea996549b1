"""
The deterministic metrics of Vertex's evaluateInstances, where their documentation leaves one reading.

Each function takes one instance and returns a number, or raises NotEvaluated with what is open. The service
itself is not asked.
"""
