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


def test_only_words_that_change_within_a_sentence_are_told_twice() -> None:
    inside = words_inside(catalog.DIMENSIONS["encryption"])
    assert inside["none"] == "not encrypted"
    assert "filevault" not in inside
