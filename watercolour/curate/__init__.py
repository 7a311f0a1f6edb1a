"""Making a reference pool and keeping it true: paint it, show it, verify it."""
