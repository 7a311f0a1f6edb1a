"""`python -m watercolour`."""

from watercolour.cli.app import main

if __name__ == "__main__":
    main()
