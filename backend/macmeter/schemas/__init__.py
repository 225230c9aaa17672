"""Response types of answers.

Answers and sides are TypedDicts, because their JSON itself is stored and its bytes hashed. Answers
that an older version froze lack members that were added since.
"""
