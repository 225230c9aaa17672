"""Apple's model identifiers, such as Mac16,11, by which people know their Mac.

Runs are stored by the model's name, which several identifiers share. A search finds other
identifiers only if an agent knew no name and stored the identifier instead.
"""

from typing import NamedTuple


class Model(NamedTuple):
    identifier: str
    name: str
    chip: str


_IDENTIFIERS = {
    ("MacBook Air", "M1"): "MacBookAir10,1",
    ("MacBook Pro", "M1"): "MacBookPro17,1",
    ("Mac mini", "M1"): "Macmini9,1",
    ("iMac", "M1"): "iMac21,1 iMac21,2",
    ("MacBook Pro", "M1 Pro"): "MacBookPro18,1 MacBookPro18,3",
    ("MacBook Pro", "M1 Max"): "MacBookPro18,2 MacBookPro18,4",
    ("Mac Studio", "M1 Max"): "Mac13,1",
    ("Mac Studio", "M1 Ultra"): "Mac13,2",
    ("MacBook Air", "M2"): "Mac14,2 Mac14,15",
    ("MacBook Pro", "M2"): "Mac14,7",
    ("Mac mini", "M2"): "Mac14,3",
    ("Mac mini", "M2 Pro"): "Mac14,12",
    ("MacBook Pro", "M2 Pro"): "Mac14,9 Mac14,10",
    ("MacBook Pro", "M2 Max"): "Mac14,5 Mac14,6",
    ("Mac Studio", "M2 Max"): "Mac14,13",
    ("Mac Studio", "M2 Ultra"): "Mac14,14",
    ("Mac Pro", "M2 Ultra"): "Mac14,8",
    ("MacBook Air", "M3"): "Mac15,12 Mac15,13",
    ("MacBook Pro", "M3"): "Mac15,3",
    ("iMac", "M3"): "Mac15,4 Mac15,5",
    ("MacBook Pro", "M3 Pro"): "Mac15,6 Mac15,7",
    ("MacBook Pro", "M3 Max"): "Mac15,8 Mac15,9 Mac15,10 Mac15,11",
    ("Mac Studio", "M3 Ultra"): "Mac15,14",
    ("MacBook Air", "M4"): "Mac16,12 Mac16,13",
    ("MacBook Pro", "M4"): "Mac16,1",
    ("iMac", "M4"): "Mac16,2 Mac16,3",
    ("Mac mini", "M4"): "Mac16,10",
    ("Mac mini", "M4 Pro"): "Mac16,11",
    ("MacBook Pro", "M4 Pro"): "Mac16,7 Mac16,8",
    ("MacBook Pro", "M4 Max"): "Mac16,5 Mac16,6",
    ("Mac Studio", "M4 Max"): "Mac16,9",
    ("MacBook Pro", "M5"): "Mac17,2",
}
MODELS = tuple(
    Model(identifier, name, f"Apple {chip}")
    for (name, chip), identifiers in _IDENTIFIERS.items()
    for identifier in identifiers.split()
)


def model_of(identifier: str) -> Model | None:
    """Return the model of an identifier, ignoring case."""
    lowered = identifier.lower()
    return next((model for model in MODELS if model.identifier.lower() == lowered), None)


def identifiers_of(chip: str, name: str) -> list[str]:
    """Return the identifiers of models with this chip and name."""
    return [model.identifier for model in MODELS if (model.chip, model.name) == (chip, name)]


def models_starting_with(prefix: str) -> set[tuple[str, str]]:
    """Return the chip and name of each model by the lower-case start of its identifier."""
    return {
        (model.chip, model.name) for model in MODELS if model.identifier.lower().startswith(prefix)
    }
