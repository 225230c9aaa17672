"""Licence of uploads and of the published corpus."""

from typing_extensions import TypedDict


class Licence(TypedDict):
    name: str
    text: str


LICENCE: Licence = {
    "name": "CC0-1.0",
    "text": "Public results may be used, copied and published by anybody for any purpose "
    "(CC0 1.0). They carry no name, host name, serial number or hardware UUID.",
}
