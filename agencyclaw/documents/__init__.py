"""Documents as text: files are read here and converted in a process that has nothing."""
