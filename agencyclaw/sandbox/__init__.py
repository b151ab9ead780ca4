"""The room where programs of the model run: the only one that starts the interpreter."""
