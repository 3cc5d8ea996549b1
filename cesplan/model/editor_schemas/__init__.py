"""JSON Schemas of the files of a tree, so that editors complete, explain, and check them."""
