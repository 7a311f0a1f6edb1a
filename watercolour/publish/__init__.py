"""Publishing a run or a pool: a folder with tables, adapter and cards, made first and uploaded only when asked to."""
