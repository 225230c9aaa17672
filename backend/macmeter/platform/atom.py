"""Atom feeds (RFC 4287)."""

from collections.abc import Iterable
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from macmeter.platform.plain_text import printable

MEDIA_TYPE = "application/atom+xml"
_ATOM = "http://www.w3.org/2005/Atom"


@dataclass(frozen=True)
class Entry:
    """One entry: `id` is a permanent unique address or URN, `updated` is ISO 8601."""

    id: str
    title: str
    updated: str
    link: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Feed:
    """One feed: `address` is its own, `link` the page with the same content."""

    address: str
    title: str
    updated: str
    link: str | None
    entries: tuple[Entry, ...]


def written(feed: Feed) -> bytes:
    """Return the feed as XML."""
    root = ET.Element("feed", xmlns=_ATOM)
    _add(root, "id", feed.address)
    _add(root, "title", feed.title)
    ET.SubElement(root, "link", rel="self", href=feed.address)
    if feed.link is not None:
        ET.SubElement(root, "link", rel="alternate", type="text/html", href=feed.link)
    _add(root, "updated", feed.updated)
    for entry in feed.entries:
        _add_entry(root, entry)
    xml: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return xml


def _add_entry(root: ET.Element, entry: Entry) -> None:
    element = ET.SubElement(root, "entry")
    _add(element, "id", entry.id)
    _add(element, "title", entry.title)
    _add(element, "updated", entry.updated)
    _add(ET.SubElement(element, "author"), "name", "Macmeter")
    ET.SubElement(element, "link", href=entry.link)
    _add(element, "summary", entry.lines)


def _add(parent: ET.Element, name: str, text: str | Iterable[str]) -> None:
    lines = [text] if isinstance(text, str) else text
    ET.SubElement(parent, name).text = "\n".join(map(printable, lines))
