"""Made-up networks with known truth: who the people are, how they name and describe themselves, whom they follow."""
