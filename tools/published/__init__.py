"""The figures of published articles: what each prints, and the files for servers made of them."""
