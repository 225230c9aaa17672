#!/usr/bin/env python3
"""Pin actions and images by digest where workflows, Dockerfiles and the compose file name tags.

    tools/release/pin.py            ask GitHub and registries for digests, and write them down
    tools/release/pin.py --check    list what is not pinned, and end with 1 if there is any

`uses: actions/checkout@v5` becomes `uses: actions/checkout@DIGEST # v5`, and `FROM python:3.13`
becomes `FROM python:3.13@sha256:DIGEST`. What is pinned is asked for again, so that a tag's
corrections arrive. If one digest can't be resolved, no file changes: none is ever typed in.

GITHUB_SERVER_URL names another GitHub, and REGISTRY another registry that all images come from.
"""

from __future__ import annotations

import json
import os
import re
import sys
import urllib.error
import urllib.request
from collections.abc import Callable
from email.message import Message
from functools import cache
from pathlib import Path

from project import ROOT, Refused, run, step

FILES = (
    *sorted((ROOT / ".github").glob("workflows/*.yml")),
    *sorted((ROOT / ".github").glob("actions/*/action.yml")),
    ROOT / "backend/Dockerfile",
    ROOT / "tools/release/agent.Dockerfile",
    ROOT / ".devcontainer/Dockerfile",
    ROOT / "docker-compose.yml",
)
# Name, pinned digest if any, and tag: in place of the digest, or in a comment after it.
ACTION = re.compile(
    r"(?P<before>\buses: )(?P<name>[\w.-]+/[\w./-]+)@"
    r"(?:(?P<digest>[0-9a-f]{40}) # )?(?P<tag>[\w.-]+)(?=\s|$)"
)
# `COPY --from=node` names a stage above it, and has no tag.
IMAGE = re.compile(
    r"(?P<before>^(?:FROM |COPY --from=|    image: ))(?P<name>[a-z0-9][\w./-]*):(?P<tag>[\w.-]+)"
    r"(?:@(?P<digest>sha256:[0-9a-f]{64}))?(?=\s|$)",
    re.MULTILINE,
)
INDEXES = (
    "application/vnd.oci.image.index.v1+json",
    "application/vnd.docker.distribution.manifest.list.v2+json",
)
SECONDS = 30.0


def main() -> None:
    if sys.argv[1:] == ["--check"]:
        loose = [name for file in FILES for name in unpinned(file)]
        if loose:
            raise Refused("\n  ".join(["not pinned by digest:", *loose]))
        return
    if sys.argv[1:]:
        raise Refused(f"there is no option {sys.argv[1]}")
    # Resolve all digests before the first change.
    texts = {file: pinned(file.read_text(encoding="utf-8")) for file in FILES}
    for file, text in texts.items():
        file.write_text(text, encoding="utf-8")
        print(file.relative_to(ROOT))


def unpinned(file: Path) -> list[str]:
    text = file.read_text(encoding="utf-8")
    return [
        f"{file.relative_to(ROOT)}: {match['name']} {match['tag']}"
        for pattern in (ACTION, IMAGE)
        for match in pattern.finditer(text)
        if match["digest"] is None
    ]


def pinned(text: str) -> str:
    def action(match: re.Match[str]) -> str:
        digest = resolved(commit_of, match)
        return f"{match['before']}{match['name']}@{digest} # {match['tag']}"

    def image(match: re.Match[str]) -> str:
        digest = resolved(digest_of, match)
        return f"{match['before']}{match['name']}:{match['tag']}@{digest}"

    return IMAGE.sub(image, ACTION.sub(action, text))


def resolved(resolve: Callable[[str, str], str], match: re.Match[str]) -> str:
    return resolve(match["name"], match["tag"])


@cache
def commit_of(name: str, tag: str) -> str:
    """Commit of an action's tag; for an annotated tag, the commit it points at."""
    server = os.environ.get("GITHUB_SERVER_URL", "https://github.com")
    repository = "/".join(name.split("/")[:2])  # an action may be in a folder of a repository
    listed = run("git", "ls-remote", f"{server}/{repository}", f"refs/tags/{tag}*")
    commits = {ref: commit for commit, ref in (line.split("\t") for line in listed.splitlines())}
    ref = f"refs/tags/{tag}"
    commit = commits.get(f"{ref}^{{}}") or commits.get(ref)
    if commit is None:
        raise Refused(f"{repository} has no tag {tag}")
    return commit


@cache
def digest_of(name: str, tag: str) -> str:
    """Digest of an image's index, which lists the images of all processors."""
    first, _, rest = name.partition("/")
    if rest and "." in first:
        registry, path = f"https://{first}", rest
    else:  # Docker's own, where official images have no owner
        registry, path = "https://registry-1.docker.io", name if rest else f"library/{name}"
    registry = os.environ.get("REGISTRY", registry)
    url = f"{registry}/v2/{path}/manifests/{tag}"
    headers = {"Accept": ", ".join(INDEXES)}
    status, response_headers = ask(url, headers)
    if status == 401 and "WWW-Authenticate" in response_headers:
        anonymous = token(response_headers["WWW-Authenticate"])
        status, response_headers = ask(url, headers | {"Authorization": f"Bearer {anonymous}"})
    digest = response_headers.get("Docker-Content-Digest", "")
    if status != 200 or not re.fullmatch(r"sha256:[0-9a-f]{64}", digest):
        raise Refused(f"{url}: the registry answers {status} and names no digest")
    return str(digest)


def ask(url: str, headers: dict[str, str]) -> tuple[int, Message]:
    """Status and headers of a HEAD request."""
    request = urllib.request.Request(url, method="HEAD", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as response:
            return response.status, response.headers
    except urllib.error.HTTPError as error:
        return error.code, error.headers
    except OSError as error:
        raise Refused(f"{url}: {error}") from None


def token(challenge: str) -> str:
    """Fetch an anonymous read token, if the registry wants one."""
    fields = dict(re.findall(r'(\w+)="([^"]*)"', challenge))
    url = f"{fields['realm']}?service={fields.get('service', '')}&scope={fields.get('scope', '')}"
    try:
        with urllib.request.urlopen(url, timeout=SECONDS) as response:
            return str(json.load(response)["token"])
    except OSError as error:
        raise Refused(f"{url}: {error}") from None


if __name__ == "__main__":
    step(main)
