"""The default linker, whole."""
