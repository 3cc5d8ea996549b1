"""Reports for services around a repository: Markdown comments, JUnit, SARIF."""
