"""Names as people write them: versions of a user's names, handles made from names, and links that people declare."""
