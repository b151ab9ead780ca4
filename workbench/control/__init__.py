"""The control API: the hands of the people in the workspace, for tests, tools and the page."""
