"""Invented fleets unlike the demo and unlike one another, with effects planted in them.

`fleets` has whole ones, `confounded` small ones in which something is confounded on purpose;
`design` says what they are made of. `documents` writes their Macs' measurements as agents would,
and a design's `ratio` is the right answer about them.
"""
