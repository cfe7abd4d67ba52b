"""The made-up crowd: who its people are, how they name and describe themselves, whom they follow."""
