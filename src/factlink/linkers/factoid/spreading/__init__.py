"""Few confident pairs spread through the links of both networks, where links are worth it."""
