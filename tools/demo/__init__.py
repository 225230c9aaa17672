"""A fleet to try the product on: invented machines, and what is true of them.

`fleet` decides who measured what and when, `laws` what a perfect measurement would have said,
`documents` writes it down as the agent does, and `loading` uploads it to its own server like any
other run. Everything is derived from a seed. A database that holds a demo is marked as one forever
(`mark`), and nothing here ever touches one that holds measurements.
"""
