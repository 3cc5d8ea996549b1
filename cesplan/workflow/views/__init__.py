"""Views: what a tree or its live apps look like, without a plan. Reads only."""
