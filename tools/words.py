#!/usr/bin/env python3
"""Reject phrases that make a native reader stop, in everything that people read.

Looks at documents, at the strings and comments of Python, TypeScript and Swift, and at the names of
Python's functions and classes outside tests. Other names, and strings that consist of one, are left
to reviewers. If a phrase is right after all, rephrase it: the lists are short on purpose.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

# Installed, built or generated; the list itself and its test; released migrations.
NOT_OURS = {".venv", "node_modules", ".build", "dist", "schema.d.ts", "words.py", "test_words.py"}
NOT_OURS |= {"0007_pinned_by_digest.py", "0009_fleets_and_people.py"}
# Checked when no other places are named.
OURS = [
    *("README.md", "CONTRIBUTING.md", "GLOSSARY.md", "SECURITY.md", "DECISIONS.md", "docs"),
    *("CHANGELOG.md", "CODE_OF_CONDUCT.md", ".github"),
    *("backend/macmeter", "frontend/src", "migrations", "tools", "codegen"),
    *("agent/Sources", "agent/Tests", "agent/Packaging", "tests"),
]
# Each pattern with what to write instead.
TICS = {
    r"shall": "should, must, or the plain verb",
    r"(?:its|their) like": "similar ones",
    r"told": "say what happens: reported, given, shown, known",
    r"(?:its|their|a|the) makers?": "owner, author, manufacturer",
    r"(?:stands?|stood)(?! (?:in|up|for|alone|out)\b)": "is, are, or a verb that says more",
    r"(?<!there )(?<!there's )(?:is|are|was|were) no"
    r"(?! (?:longer|more|less|fewer|later|earlier|larger|smaller|bigger|slower|faster|better"
    r"|worse|newer|older|wider|finer|different|one|such)\b)": "isn't a, has no, without",
    r"(?:became|becomes|become) of": "what happened to",
    r"comes? about": "happens, can be made",
    r"asked of": "asked for, required from",
    r"of (?:themselves|itself)": "their own, its own",
    r"by the way": "along the way, in passing",
    r"(?:ask|each) further": "each added, explore",
    r"says? less than it seems": "say what the reader should do with it",
    r"anew": "again, or a verb: rebuild, rewrite, restart",
    r"for ever": "forever, permanently",
    r"but for(?= (?:an?|the|those|what|its|their)\b)": "except, except for",
    r"none the less": "still, nevertheless",
    r"tells? of": "shows, reports, says about, describes",
}
# Parts of names, between underscores or capitals, with what to write instead.
VAGUE = {
    "told": "render_…, …Response",
    "untold": "missing",
    "asker": "principal, reader",
    "amiss": "problem",
    "strays?": "outlier",
    "herds?": "throttle",
    "bury": "add a tombstone",
    "whose": "a verb",
}
PART = re.compile("|".join(f"({pattern})" for pattern in VAGUE))
TIC = re.compile(rf"\b(?:{'|'.join(f'({pattern})' for pattern in TICS)})\b", re.IGNORECASE)
CODE_IN_TEXT = re.compile(r"^(```|~~~).*?^\1|`[^`\n]*`|\]\([^)]*\)", re.MULTILINE | re.DOTALL)
# Comments and strings of TypeScript and Swift.
WORDED = (
    r"//[^\n]*|/\*.*?\*/|\"\"\".*?\"\"\"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"
    r"|`(?:\\.|[^`\\])*`"
)
TAGGED = r"(?<=>)[^<>{}();=]*[a-z][^<>{}();=]*(?=[<{])"
NAME = re.compile(r"([\"'`])[\w-]+\1")
PLACEHOLDER = re.compile(r"\$?\{[^{}]*\}|\\\([^()]*\)")


def of_document(text: str) -> Iterator[tuple[int, str]]:
    """Yield a document's text without its code by paragraph, each with its first line's number."""
    plain = CODE_IN_TEXT.sub(lambda code: "\n" * code[0].count("\n"), text)
    line = 1
    for paragraph in re.split(r"(?<=\n)(?=\n)", plain):
        yield line, paragraph
        line += paragraph.count("\n")


def of_python(text: str) -> Iterator[tuple[int, str]]:
    """Yield strings and comments, joined over adjacent lines, as sentences run over lines."""
    joined: list[str] = []
    first = last = 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in (tokenize.COMMENT, tokenize.STRING) or NAME.fullmatch(token.string):
            continue
        if joined and token.start[0] > last + 1:
            yield first, " ".join(joined)
            joined = []
        if not joined:
            first = token.start[0]
        joined.append(token.string.strip("#\"' "))
        last = token.end[0]
    if joined:
        yield first, " ".join(joined)


def of_braces(text: str, worded_by: str = WORDED) -> Iterator[tuple[int, str]]:
    """Yield strings and comments of TypeScript or Swift."""
    joined: list[str] = []
    first = last = 0
    for worded in re.finditer(worded_by, text, re.DOTALL):
        if NAME.fullmatch(worded[0]):
            continue
        line = text.count("\n", 0, worded.start()) + 1
        if joined and line > last + 1:
            yield first, " ".join(joined)
            joined = []
        if not joined:
            first = line
        joined.append(worded[0].strip("/*\"'` \n"))
        last = line + worded[0].count("\n")
    if joined:
        yield first, " ".join(joined)


def of_tags(text: str) -> Iterator[tuple[int, str]]:
    """Yield strings, comments, and text between tags."""
    return of_braces(text, f"{WORDED}|{TAGGED}")


READERS = {
    ".md": of_document,
    ".py": of_python,
    ".toml": of_python,
    ".swift": of_braces,
    ".ts": of_braces,
    ".tsx": of_tags,
}


def tics(path: Path) -> Iterator[tuple[int, str, str]]:
    """Line of the paragraph's beginning, the words around, and what to write instead."""
    instead = list(TICS.values())
    for line, text in READERS[path.suffix](path.read_text(encoding="utf-8")):
        plain = re.sub(r"[\s/*#]+", " ", PLACEHOLDER.sub("…", re.sub(r"`[^`]*`", "`…`", text)))
        for tic in TIC.finditer(plain):
            assert tic.lastindex is not None
            around = plain[max(0, tic.start() - 30) : tic.end() + 30].strip()
            yield line, around, instead[tic.lastindex - 1]


def vague_names(path: Path) -> Iterator[tuple[int, str, str]]:
    """Line, name and replacement for each definition whose name has a vague part."""
    instead = list(VAGUE.values())
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for part in re.split(r"_|(?<=[a-z])(?=[A-Z])", node.name):
                if vague := PART.fullmatch(part.lower()):
                    assert vague.lastindex is not None
                    yield node.lineno, node.name, instead[vague.lastindex - 1]


def files(root: Path) -> Iterator[Path]:
    """Files below `root` that people read: not installed, built, generated or released ones."""
    paths = [root] if root.is_file() else sorted(root.rglob("*"))
    for path in paths:
        is_ours = not NOT_OURS & {*path.parts, path.name}
        if is_ours and path.suffix in READERS:
            yield path


def main(roots: list[Path]) -> int:
    """Print every tic and return their number."""
    count = 0
    for root in roots:
        for path in files(root):
            is_named = path.suffix == ".py" and "tests" not in path.parts
            for line, around, instead in [*tics(path), *(vague_names(path) if is_named else ())]:
                count += 1
                print(f"{path}:{line}: … {around} …\n  instead: {instead}")
    return count


if __name__ == "__main__":
    sys.exit(min(main([Path(place) for place in sys.argv[1:] or OURS]), 1))
