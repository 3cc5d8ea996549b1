"""The list of apps: `standing` says what each live app is to a tree, `text_report` shows it."""
