"""The agent for other Macs: what this server offers, its files, and scripts that install it."""

from fastapi import Request
from fastapi.responses import FileResponse, PlainTextResponse, Response

from macmeter.platform.errors import not_found
from macmeter.platform.release import VERSION
from macmeter.platform.schema import Exact
from macmeter.server.dependencies import CurrentServer, public_address
from macmeter.server.http.routing import Router
from macmeter.server.installing.files import offered, script

router = Router(tags=["agent"])
files = Router(include_in_schema=False)

_FRESH = {"Cache-Control": "no-cache"}


class AgentOffer(Exact):
    """Ways for a Mac to get the agent. null if this server doesn't offer one."""

    version: str
    """Version of the newest agent that this server knows."""
    files: str | None
    """Address below which its archives and their SHA256SUMS are."""
    install: str | None
    """Command to run on a Mac or on Linux."""
    tap: str | None
    """Homebrew tap that has it."""
    package: str | None
    """Address of its installer package."""


@router.get("/api/v1/agent")
async def get_agent(request: Request, server: CurrentServer) -> AgentOffer:
    """Describe how to install the agent from here."""
    address = public_address(request, server)
    offer = offered(server.settings, address)
    return {
        "version": offer.version if offer else VERSION,
        "files": offer.files if offer else None,
        "install": f"curl -fsSL {address}/install.sh | sh" if offer else None,
        "tap": offer.tap if offer else server.settings.agent_tap,
        "package": offer.package if offer else None,
    }


@files.get("/install.sh")
async def install_script(request: Request, server: CurrentServer) -> Response:
    """Return a script that downloads, checks and installs the agent, or one that says why there is
    none: of an error response, `curl -fsSL … | sh` would run an empty script, and succeed.
    """
    address = public_address(request, server)
    offer = offered(server.settings, address)
    text = offer.installer(address) if offer else script("no-agent.sh", SERVER=address)
    return PlainTextResponse(text, headers=_FRESH)


@files.get("/uninstall.sh")
async def uninstall_script(request: Request, server: CurrentServer) -> Response:
    """Return a script that removes what `install.sh` installed, whether or not it still would."""
    text = script("uninstall.sh", SERVER=public_address(request, server))
    return PlainTextResponse(text, headers=_FRESH)


@files.get("/agent/{name}")
async def agent_file(name: str, request: Request, server: CurrentServer) -> Response:
    """Return a file of the folder AGENT_FILES that its list of checksums names."""
    offer = offered(server.settings, public_address(request, server))
    if offer is None or offer.folder is None or name not in offer.names:
        raise not_found("file")
    return FileResponse(offer.folder / name, headers=_FRESH)
