#!/usr/bin/env python3
"""Check format, lint, types, generated files, deployment files, packages, words and commits."""

import sys

from generate import CLIENT, compare
from stages import BIN, ROOT, Stage, npm, run_stages

PYTHON = ["backend", "tests", "tools", "migrations"]
TYPED = ["backend/macmeter", "tests", "tools/demo", "tools/published"]


def python(tool: str, *arguments: str) -> list[str]:
    """Command of .venv."""
    return [str(BIN / tool), *arguments]


def schema(name: str, *files: str) -> list[str]:
    """Validate files against a published JSON schema that the checker brings along."""
    return python("check-jsonschema", "--builtin-schema", f"vendor.{name}", *files)


def files(pattern: str) -> list[str]:
    """Files of the working copy, as paths relative to its root."""
    return [str(path.relative_to(ROOT)) for path in sorted(ROOT.glob(pattern))]


DOCKERFILES = [*files("*/Dockerfile"), *files(".*/Dockerfile"), *files("tools/*/*.Dockerfile")]

STAGES = [
    Stage("Python: format", python("ruff", "format", "--check", *PYTHON), quiet=True),
    Stage("Python: lint", python("ruff", "check", *PYTHON), quiet=True),
    Stage("Python: types", python("mypy", *TYPED), quiet=True),
    Stage(
        "Python: types of tools",
        python("mypy", *files("tools/*.py"), *files("tools/release/*.py")),
        quiet=True,
        environment={"MYPYPATH": "tools:tools/release"},
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
    Stage("Workflows", schema("github-workflows", *files(".github/workflows/*.yml")), quiet=True),
    Stage("Workflows: actionlint", ["tools/actionlint"]),
    Stage("Workflows: zizmor", python("zizmor", "--quiet", "--offline", ".github"), quiet=True),
    Stage("Dependabot", schema("dependabot", ".github/dependabot.yml"), quiet=True),
    Stage(
        "Issue forms",
        schema("github-issue-forms", *files(".github/ISSUE_TEMPLATE/[!c]*.yml")),
        quiet=True,
    ),
    Stage("Dockerfiles", python("hadolint", *DOCKERFILES), quiet=True),
]

if __name__ == "__main__":
    sys.exit(min(run_stages(STAGES), 1))
