"""A fleet to try the product on: machines that do not exist, and what is true of them.

`fleet` decides who measured what and when, `laws` what a perfect measurement would have said,
`documents` writes it down as the agent does, and `loading` sends it to a server of its own like
any other run. Everything follows from a seed. A database that holds it says so forever (`mark`),
and nothing here ever touches one that holds measurements.
"""
