#!/usr/bin/env python3
"""Format, lint, types, stale generated files, deployment files, weak packages, words, commits."""

import sys

from generate import CLIENT, compare
from stages import BIN, ROOT, Stage, npm, run_stages

PYTHON = ["backend", "tests", "tools", "migrations"]
TYPED = ["backend/macmeter", "tests", "tools/demo", "tools/published"]


def python(tool: str, *arguments: str) -> list[str]:
    """A command of .venv."""
    return [str(BIN / tool), *arguments]


def schema(name: str, *files: str) -> list[str]:
    """Holds files to a published JSON schema that the checker brings along."""
    return python("check-jsonschema", "--builtin-schema", f"vendor.{name}", *files)


STAGES = [
    Stage("Python: format", python("ruff", "format", "--check", *PYTHON), quiet=True),
    Stage("Python: lint", python("ruff", "check", *PYTHON), quiet=True),
    Stage("Python: types", python("mypy", *TYPED), quiet=True),
    Stage(
        "Python: types of tools",
        python("mypy", *map(str, sorted((ROOT / "tools").glob("*.py")))),
        quiet=True,
        environment={"MYPYPATH": "tools"},
    ),
    Stage("Frontend: format", npm("format:check"), quiet=True),
    Stage("Frontend: lint", npm("lint"), quiet=True),
    CLIENT,
    Stage("Frontend: types", npm("types"), quiet=True),
    *compare(),
    Stage("Agent: C for macOS", python("python", "tools/darwin.py"), quiet=True),
    Stage("Packages: known weaknesses", python("python", "tools/audit.py")),
    Stage("Words", python("python", "tools/words.py"), quiet=True),
    Stage("Commit messages", python("python", "tools/commits.py"), quiet=True),
    Stage("Compose file", schema("compose-spec", "docker-compose.yml"), quiet=True),
    Stage("Workflow", schema("github-workflows", ".github/workflows/ci.yml"), quiet=True),
    Stage("Dockerfile", python("hadolint", "backend/Dockerfile"), quiet=True),
]

if __name__ == "__main__":
    sys.exit(min(run_stages(STAGES), 1))
