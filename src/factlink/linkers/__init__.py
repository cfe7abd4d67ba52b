"""6. Linkers: peers behind one interface, one module each."""
