"""cesplan.yaml: settings, environments, variables, and protection."""
