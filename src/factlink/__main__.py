"""`python -m factlink` is `factlink`."""

from factlink.cli.app import main

main()
