"""`python -m agencyclaw` is the command line."""

from agencyclaw.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
