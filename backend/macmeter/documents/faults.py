"""Conversion of msgspec's errors to refused fields: a pointer, a code, a sentence."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from macmeter import Json
from macmeter.documents.document import Parameters, RunDocument, Text
from macmeter.documents.read import pointer_of
from macmeter.platform.errors import FieldError

# "Expected `int` >= 1 - at `$.machine.core_tiers[0].cores`"
_AT = re.compile(r" - at (?:`key` in )?`\$(?P<path>[^`]*)`$")
_STEP = re.compile(r"\.(?P<name>\w+)|\[(?P<index>\d+|\.\.\.)\]")
# Objects with arbitrary keys: msgspec doesn't say which key is at fault.
_FREE = {
    "labels": dict[Text, Text | None],
    "parameters": Parameters,
    "of": Parameters,
    "to": Parameters,
}
_KINDS = {
    "bool": ("bool_type", "true or false"),
    "int": ("int_type", "a whole number"),
    "float": ("float_type", "a number"),
    "str": ("string_type", "a string"),
    "date": ("date_type", "a date such as 2026-11-20"),
    "array": ("list_type", "an array"),
    "object": ("model_type", "an object"),
}
# Patterns of msgspec's messages, with our code and message.
_SENTENCES = [
    (r"Object missing required field `(\w+)`", "missing", "Add it, it is required"),
    (r"Expected `.*`, got `null`", "missing", "Add it, it is required"),
    (r"Invalid enum value (.*)", "literal_error", r"macmeter.run/1 has no \1 here"),
    (r"Expected `\w+` >= (.*)", "greater_than_equal", r"Must be at least \1"),
    (r"Expected `\w+` > (.*)", "greater_than", r"Must be more than \1"),
    (r"Expected `\w+` <= (.*)", "less_than_equal", r"Must be at most \1"),
    (r"Expected `str` of length >= (\d+)", "string_too_short", r"Must not be empty"),
    (r"Expected `str` of length <= (\d+)", "string_too_long", r"Can have \1 characters at most"),
    (r"Expected `array` of length >= (\d+)", "too_short", r"Must not be empty"),
    (r"Expected `array` of length <= (\d+)", "too_long", r"Can have \1 items at most"),
    (r"Expected `str` matching regex (.*)", "string_pattern_mismatch", r"Must match \1"),
]
_MISSING = re.compile(r"Object missing required field `(?P<name>.*)`")
_OF_KIND = re.compile(r"Expected `(?P<wanted>[\w| ]+)`, got `(?P<given>\w+)`")


def faults(document: Json) -> Iterator[FieldError]:
    """Yield the first fault of each member of a document that msgspec refused."""
    fields = {field.name: field for field in msgspec.structs.fields(RunDocument)}
    for name, value in document.items():
        if name not in fields:
            detail = "macmeter.run/1 has no such key. Remove it."
            yield FieldError(pointer_of((name,)), "extra_forbidden", detail)
            continue
        try:
            msgspec.convert(value, fields[name].type)
        except msgspec.ValidationError as error:
            yield _member_fault(name, value, str(error))
    for name, field in fields.items():
        if field.required and name not in document:
            yield FieldError(pointer_of((name,)), "missing", "Add it, it is required.")


def _member_fault(name: str, value: Any, message: str) -> FieldError:
    suffix = _AT.search(message)
    sentence = message[: suffix.start()] if suffix else message
    location = [name, *(_location(suffix["path"], value, name) if suffix else ())]
    if missing := _MISSING.fullmatch(sentence):
        location.append(missing["name"])
    code, words = _in_words(sentence)
    return FieldError(pointer_of(tuple(location)), code, f"{words}.")


def _in_words(message: str) -> tuple[str, str]:
    for sentence, code, words in _SENTENCES:
        if match := re.fullmatch(sentence, message, re.DOTALL):
            return code, match.expand(words)
    if mismatch := _OF_KIND.fullmatch(message):
        expected = [_KINDS[name] for name in mismatch["wanted"].split(" | ") if name != "null"]
        actual = _KINDS[mismatch["given"]][1]
        kinds = " or ".join(words for _, words in expected)
        return expected[0][0], f"Must be {kinds}, not {actual}"
    return "invalid_value", message.replace("`", "")


def _location(path: str, value: Any, name: str) -> Iterator[int | str]:
    """Yield the steps of msgspec's path, with the actual key in place of "[...]".

    `name` is the key of the member `value`.
    """
    key: int | str
    for step in _STEP.finditer(path):
        if step["name"] is not None:
            key = name = step["name"]
        elif step["index"] != "...":
            key = int(step["index"])
        else:
            key = _culprit(value, _FREE[name])
        yield key
        value = value[key]


def _culprit(members: Json, kind: Any) -> str:
    """Return the first key that is invalid or has an invalid value."""
    for key, value in members.items():
        try:
            msgspec.convert({key: value}, kind)
        except msgspec.ValidationError:
            return key
    raise AssertionError("msgspec found one")
