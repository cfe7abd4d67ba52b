"""The linkers that the default is compared with."""
