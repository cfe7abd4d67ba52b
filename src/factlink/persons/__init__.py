"""Stage 9: links → persons with stable ids, and triangles of links that disagree."""
