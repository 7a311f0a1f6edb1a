"""The taste model: from a pool's ratings to a small head on a frozen image encoder, and what that head is worth."""
