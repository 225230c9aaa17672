"""Functions of the agent take at most five parameters, like those of Python and TypeScript.

SwiftLint would be another program to install for one rule. An initialiser that only assigns may
take as many as its type has properties.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from macmeter.platform.settings import CHECKOUT

AGENT = CHECKOUT / "agent"
MOST = 5
# Comments and strings, which may contain what looks like code.
NOT_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"', re.DOTALL)
DECLARED = re.compile(
    r"\b(?:func\s+(?P<name>\w+|[^\w\s(]+)|(?P<init>init[?!]?)|subscript)\s*(?=[<(])"
)
GENERIC = re.compile(r"(?<=\w)<[^<>{}]*>")
# A line of an initialiser that does not begin with an assignment.
DOES_MORE = re.compile(
    r"^\s*(?:(?:var|let|for|while|if|guard|switch|do|defer)\b|try\s|\w+\()", re.MULTILINE
)


def inside(text: str, start: int) -> str:
    """Text between the bracket at `start` and the one that closes it."""
    depth = 0
    for place in range(start, len(text)):
        depth += (text[place] in "([{") - (text[place] in ")]}")
        if depth == 0:
            return text[start + 1 : place]
    raise ValueError(f"nothing closes {text[start : start + 40]!r}")


def parameters(listed: str) -> int:
    """Number of parameters: commas within types and defaults don't count."""
    depth = commas = 0
    for letter in without_generics(listed):
        depth += (letter in "([{") - (letter in ")]}")
        commas += letter == "," and depth == 0
    return commas + 1 if listed.strip() else 0


def without_generics(text: str) -> str:
    """Strip type arguments: `Dictionary<Int, Set<Int>>` becomes `Dictionary`."""
    shorter = GENERIC.sub("", text)
    return shorter if shorter == text else without_generics(shorter)


def declarations(source: str) -> Iterator[tuple[int, str, int]]:
    """Line, name and parameter count of each function, except initialisers that only assign."""
    text = NOT_CODE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), source)
    for found in DECLARED.finditer(text):
        if text[: found.start()].rstrip().endswith("."):
            continue
        start = text.index("(", found.end())
        listed = inside(text, start).strip().removesuffix(",")
        after = start + len(inside(text, start)) + 2
        if found["init"]:
            body = text.find("{", after)
            if body >= 0 and not DOES_MORE.search(inside(text, body)):
                continue
        line = text.count("\n", 0, found.start()) + 1
        yield line, found["name"] or found["init"] or "subscript", parameters(listed)


def test_functions_take_five_parameters_at_most() -> None:
    found = [
        f"{path.relative_to(CHECKOUT)}:{line}: {name} takes {count}"
        for path in sorted([*AGENT.glob("Sources/**/*.swift"), *AGENT.glob("Tests/**/*.swift")])
        if "DarwinStubs" not in path.parts  # declared as Apple does
        for line, name, count in declarations(path.read_text(encoding="utf-8"))
        if count > MOST
    ]
    assert not found, "give them a type of their own:\n" + "\n".join(found)


SIX = "a: Int, b: Int, c: Int, d: Int, e: Int, f: Int"


@pytest.mark.parametrize(
    "source",
    [
        f"func measured({SIX}) {{}}",
        f"func measured<T: Sequence<Int>>(\n  {SIX},\n) throws -> T {{}}",
        f"func + ({SIX}) -> Int {{ 0 }}",
        f"init({SIX}) {{\n  self.a = a\n  print(b)\n}}",
        f"subscript({SIX}) -> Int {{ 0 }}",
        'func it(_ a: [Int: (Int, Int)], b: (Int) -> Void, c: Int, d: Int, e: Int, f: Text = ",")',
    ],
)
def test_a_longer_list_is_found(source: str) -> None:
    assert [count > MOST for _, _, count in declarations(source)] == [True]


@pytest.mark.parametrize(
    "source",
    [
        'func it(_ a: [Int: (Int, Int)], b: (Int, Int) -> Map<Int, Int>, c: String = ", , , ,") {}',
        f"init({SIX}) {{\n  self.a = a\n  self.b = b\n}}",
        f"// func measured({SIX})\nfunc it(\n  a: Int,\n  b: Int,\n) {{}}",
        f'let text = "func measured({SIX})"',
    ],
)
def test_what_is_short_or_only_assigns_is_left(source: str) -> None:
    assert all(count <= MOST for _, _, count in declarations(source))
