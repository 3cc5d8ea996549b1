"""Operations on text that know nothing of cesplan: characters, slugs, templates, matched lines."""
