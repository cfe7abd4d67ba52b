"""Where steps run: in this process, out of core, or on a cluster."""
