"""The types of answers.

Answers and sides are TypedDicts: their JSON itself is kept, by a hash of its bytes, and what was
frozen by an older version lacks what was added since.
"""
