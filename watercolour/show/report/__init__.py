"""The report: what a run's records say, as numbers, figures and one page that opens from the disk."""
