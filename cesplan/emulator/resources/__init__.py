"""The standard and custom methods of resources, on one store."""
