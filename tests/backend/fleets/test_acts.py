"""The audit log on a fleet's page describes each action in words."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import macmeter

ROOT = Path(__file__).parents[3]
WORDS = ROOT / "frontend/src/features/fleet-settings/words.ts"


def acts_of_fleets() -> Iterator[str]:
    """Actions that are logged with a fleet, or done to runs."""
    for path in Path(macmeter.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            called = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
            if isinstance(node, ast.Call) and called == "RunAct":
                values = [a.value for a in node.args[:1] if isinstance(a, ast.Constant)]
                yield from (value for value in values if isinstance(value, str))
            if isinstance(node, ast.Call) and called == "note":
                is_named = any(keyword.arg == "fleet_id" for keyword in node.keywords)
                if is_named or len(node.args) > 3:
                    # It may be one of two actions, of which one undoes the other.
                    texts = [n.value for n in ast.walk(node.args[2]) if isinstance(n, ast.Constant)]
                    yield from (text for text in texts if isinstance(text, str) and "." in text)


def test_each_act_has_words() -> None:
    words = WORDS.read_text(encoding="utf-8")
    acts = {*acts_of_fleets()}
    assert len(acts) > 20
    acts |= {"run.withdraw", "run.reinstate"}
    assert {act for act in acts if f'"{act}":' not in words} == set()
