"""Text operations without any knowledge of cesplan: characters, slugs, templates, matched lines."""
