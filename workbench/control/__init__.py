"""The control API: acts as the people of the workspace, for tests, tools and the page."""
