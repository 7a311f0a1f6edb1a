"""Making a reference pool and keeping it true: photographs, candidates, ratings, packing, painting, checks."""
