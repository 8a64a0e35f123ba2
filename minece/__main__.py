"""`python -m minece` is the command `minece`."""

from minece.cli import main

if __name__ == "__main__":
    main()
