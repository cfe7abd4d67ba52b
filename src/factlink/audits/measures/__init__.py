"""What would help: measures proposed, carried out, priced, and searched for the smallest set that is enough."""
