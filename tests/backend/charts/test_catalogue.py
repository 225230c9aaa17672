"""The catalogue as served: texts of its dimensions' values."""

from __future__ import annotations

from macmeter import catalog
from macmeter.charts.catalogue import catalogue_words, words_inside


def test_the_catalogue_says_what_its_values_are_called_wherever_they_stand() -> None:
    words = catalogue_words(catalog.DIMENSIONS["storage"])
    assert words[""] == "Storage not stated"
    assert words["other"] == "Other storage"
    assert words["usb4"] == "USB4"
    virtual = catalogue_words(catalog.DIMENSIONS["virtual"])
    assert (virtual["true"], virtual["false"]) == ("In a VM", "Host")


def test_each_value_has_its_words_within_a_sentence() -> None:
    """Also those that are the same there: which ones are may change, and clients look them up."""
    inside = words_inside(catalog.DIMENSIONS["encryption"])
    assert (inside["none"], inside["filevault"]) == ("not encrypted", "FileVault")
    storage = catalog.DIMENSIONS["storage"]
    assert words_inside(storage).keys() == catalogue_words(storage).keys()
    assert words_inside(storage)["thunderbolt5"] == "Thunderbolt 5"
