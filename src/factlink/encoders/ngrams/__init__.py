"""Character n-grams of strings: hashed, weighted, projected, and summed up per user."""
