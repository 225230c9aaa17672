"""The figures of published articles: what each prints, and the files that servers get of them."""
