"""3. Object embeddings: values of one kind become vectors in which similar values are close."""
