"""4. Factoid embedding: factoids move user vectors."""
