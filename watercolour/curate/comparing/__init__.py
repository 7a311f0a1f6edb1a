"""Two sets of ratings side by side: what each says (sides), how the fitted tastes differ (tastes), and a page of it."""
