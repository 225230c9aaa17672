"""Field errors of a document that msgspec refused: a pointer, a code and a sentence each."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from macmeter import Json
from macmeter.documents.document import Parameters, RunDocument, Text
from macmeter.documents.read import pointer_of
from macmeter.platform.errors import FieldError

# "Expected `int` >= 1 - at `$.machine.core_tiers[0].cores`"
_PATH_SUFFIX = re.compile(r" - at (?:`key` in )?`\$(?P<path>[^`]*)`$")
_PATH_STEP = re.compile(r"\.(?P<name>\w+)|\[(?P<index>\d+|\.\.\.)\]")
# Objects with arbitrary keys: msgspec doesn't say which key is at fault.
_OPEN_OBJECTS = {
    "labels": dict[Text, Text | None],
    "parameters": Parameters,
    "of": Parameters,
    "to": Parameters,
}
_TYPES = {
    "bool": ("bool_type", "true or false"),
    "int": ("int_type", "a whole number"),
    "float": ("float_type", "a number"),
    "str": ("string_type", "a string"),
    "date": ("date_type", "a date such as 2026-11-20"),
    "array": ("list_type", "an array"),
    "object": ("model_type", "an object"),
}
# Patterns of msgspec's messages, with our code and detail.
_MESSAGES = [
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
_WRONG_TYPE = re.compile(r"Expected `(?P<wanted>[\w| ]+)`, got `(?P<given>\w+)`")


def field_errors(document: Json) -> Iterator[FieldError]:
    """Yield the first error of each member of a document that msgspec refused."""
    fields = {field.name: field for field in msgspec.structs.fields(RunDocument)}
    for name, value in document.items():
        if name not in fields:
            detail = "macmeter.run/1 has no such key. Remove it."
            yield FieldError(pointer_of((name,)), "extra_forbidden", detail)
            continue
        try:
            msgspec.convert(value, fields[name].type)
        except msgspec.ValidationError as error:
            yield _member_error(name, value, str(error))
    for name, field in fields.items():
        if field.required and name not in document:
            yield FieldError(pointer_of((name,)), "missing", "Add it, it is required.")


def _member_error(name: str, value: Any, message: str) -> FieldError:
    suffix = _PATH_SUFFIX.search(message)
    sentence = message[: suffix.start()] if suffix else message
    location = [name, *(_location(suffix["path"], value, name) if suffix else ())]
    if missing := _MISSING.fullmatch(sentence):
        location.append(missing["name"])
    code, detail = _code_and_detail(sentence)
    return FieldError(pointer_of(tuple(location)), code, f"{detail}.")


def _code_and_detail(message: str) -> tuple[str, str]:
    for sentence, code, detail in _MESSAGES:
        if match := re.fullmatch(sentence, message, re.DOTALL):
            return code, match.expand(detail)
    if mismatch := _WRONG_TYPE.fullmatch(message):
        expected = [_TYPES[name] for name in mismatch["wanted"].split(" | ") if name != "null"]
        actual = _TYPES[mismatch["given"]][1]
        expected_types = " or ".join(detail for _, detail in expected)
        return expected[0][0], f"Must be {expected_types}, not {actual}"
    return "invalid_value", message.replace("`", "")


def _location(path: str, value: Any, name: str) -> Iterator[int | str]:
    """Yield the steps of msgspec's path, with the actual key in place of "[...]".

    `name` is the key of the member `value`.
    """
    key: int | str
    for step in _PATH_STEP.finditer(path):
        if step["name"] is not None:
            key = name = step["name"]
        elif step["index"] != "...":
            key = int(step["index"])
        else:
            key = _invalid_key(value, _OPEN_OBJECTS[name])
        yield key
        value = value[key]


def _invalid_key(members: Json, type_: Any) -> str:
    """Return the first key that is invalid or has an invalid value."""
    for key, value in members.items():
        try:
            msgspec.convert({key: value}, type_)
        except msgspec.ValidationError:
            return key
    raise AssertionError("msgspec found an invalid key or value")
