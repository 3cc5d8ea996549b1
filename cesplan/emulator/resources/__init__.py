"""The standard methods and the custom methods of resources, each over one store."""
