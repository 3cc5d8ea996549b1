"""The list of apps: `standing` says how each live app relates to a tree; `text_report` shows it."""
