"""Users in an order that their content decides: neither the rows of a file nor ids show in any result."""
