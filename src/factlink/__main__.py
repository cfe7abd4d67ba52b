"""`python -m factlink` is `factlink`."""

from factlink.cli import main

main()
