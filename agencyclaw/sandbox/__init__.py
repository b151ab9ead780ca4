"""Where programs of the model run: the only package that starts the interpreter."""
