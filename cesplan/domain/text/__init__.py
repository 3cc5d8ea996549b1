"""Text operations that are independent of cesplan: characters, slugs, templates, line matching, merges."""
