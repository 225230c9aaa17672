"""The application: its parts, endpoints and handlers of errors, which answer problem+json."""

import asyncio
import json
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from macmeter import Json
from macmeter.accounts import oidc_router, session_router, token_router
from macmeter.accounts import router as accounts
from macmeter.accounts.oidc import Issuer
from macmeter.accounts.quota import ConcurrencyLimiter, UploadLimits
from macmeter.alerts import addresses_router
from macmeter.alerts import router as alerts
from macmeter.charts import router as charts
from macmeter.charts.pictures.png_renderer import PngRenderer
from macmeter.comparisons import embeds_router
from macmeter.comparisons import router as comparisons
from macmeter.documents.document import SCHEMA, RunDocument
from macmeter.documents.meanings import MEANINGS
from macmeter.documents.read import pointer_of
from macmeter.fleets import enrolment_router, invitations_router, machines_router
from macmeter.fleets import router as fleets
from macmeter.fleets.enrolment import count_throttled
from macmeter.fleets.enrolment_throttle import EnrolmentThrottle
from macmeter.machines import router as machines
from macmeter.moderation import admin_router
from macmeter.moderation import router as moderation
from macmeter.platform import database, database_errors
from macmeter.platform.database import Databases
from macmeter.platform.errors import FieldError, Problem, answer_problem, message_of, not_found
from macmeter.platform.notifications import Notifications
from macmeter.platform.settings import Settings
from macmeter.platform.spark import Cluster
from macmeter.platform.worker_pool import JOB_SECONDS, Pool
from macmeter.questions import feeds_router
from macmeter.questions import router as answers
from macmeter.results.runs import Clock
from macmeter.runs import downloads_router, events_router
from macmeter.runs import router as runs
from macmeter.runs.accept import IngestService
from macmeter.server import operation_router, pages_router
from macmeter.server.dependencies import Server
from macmeter.server.http import edge
from macmeter.server.http.headers import allow, methods_at
from macmeter.server.http.openapi import install_openapi
from macmeter.server.http.requests import Identified, log_refusal
from macmeter.server.http.routing import Router
from macmeter.server.installing import router as installing
from macmeter.server.jobs import MODULES, Questions

schema_router = Router(include_in_schema=False)


@schema_router.get("/api/v1/run.v1.schema.json")
async def run_schema() -> Response:
    """The JSON Schema of the run document."""
    return Response(document_schema(), media_type="application/schema+json")


# Tried in this order, most frequent first.
_ROUTERS = (
    operation_router.router,
    events_router.router,
    # Before the runs' own addresses, which would take "batch" for a run's id.
    runs.router,
    moderation.router,
    moderation.review,
    answers.router,
    answers.comparing,
    feeds_router.router,
    charts.router,
    comparisons.router,
    embeds_router.router,
    downloads_router.router,
    machines.router,
    alerts.router,
    addresses_router.router,
    token_router.router,
    enrolment_router.agents,
    enrolment_router.router,
    session_router.router,
    session_router.browsers,
    oidc_router.router,
    accounts.router,
    invitations_router.router,
    fleets.router,
    machines_router.router,
    admin_router.router,
    schema_router,
    installing.router,
    installing.files,
    pages_router.router,
)


def _cluster(settings: Settings) -> Cluster | None:
    if settings.spark_remote is None:
        return None
    # Ends before the process that waits for it is killed.
    seconds = 0.75 * JOB_SECONDS * settings.patience
    return Cluster(settings.spark_remote, settings.spark_results, seconds)


def create_app(settings: Settings, pool: Pool | None = None) -> FastAPI:
    """Create the server over `settings.database_url`; `database_read_url` may be a replica of it.

    Several applications may share `pool`; otherwise each creates its own.
    """
    assert settings.database_url is not None
    writing = database.engine(settings.database_url, patience=settings.patience)
    read_url = settings.database_read_url
    # Separate pools even on one database, so that readers never take an upload's connection.
    reading = database.reading_engine(read_url or settings.database_url, patience=settings.patience)
    # Replicas don't forward notifications; only the primary does.
    notifications = Notifications(database.engine(settings.database_url, pool_size=1))
    ingest = IngestService(
        writing,
        simulated=settings.accept_simulated,
        public=settings.public_uploads,
        patience=settings.patience,
    )
    renderer = PngRenderer(patience=settings.patience)
    own_pool = None
    if pool is None:
        pool = own_pool = Pool(
            settings.processes_for_questions, MODULES, patience=settings.patience
        )
    databases = Databases(
        settings.database_url,
        read_url or settings.database_url,
        settings.dataset_dir,
        _cluster(settings),
    )

    async def count_refusals(machine_id: uuid.UUID, times: int) -> None:
        async with writing.begin() as connection:
            await count_throttled(connection, machine_id, times)

    throttle = EnrolmentThrottle(count_refusals)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        if own_pool is not None:
            warm = asyncio.create_task(_warm(own_pool, renderer))
        yield
        await asyncio.gather(
            notifications.close(), ingest.close(), questions.close(), throttle.close()
        )
        await asyncio.gather(writing.dispose(), reading.dispose(), renderer.close())
        if own_pool is not None:
            warm.cancel()
            await own_pool.close()

    app = FastAPI(
        title="Macmeter",
        version="1",
        description="Measured Mac performance: stored, compared, shared.",
        lifespan=lifespan,
        openapi_url="/api/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        # Spans are our own: platform/telemetry/traces.py.
        telemetry={"tracing": False, "metrics": False, "logs": False},
    )
    questions = Questions(pool, databases, settings.workers)
    app.state.server = Server(
        writing=writing,
        reading=reading,
        questions=questions,
        ingest=ingest,
        notifications=notifications,
        clock=Clock(reading),
        pages=ConcurrencyLimiter(
            "live pages", settings.live_pages, settings.live_pages_per_address
        ),
        downloads=ConcurrencyLimiter(
            "downloads", settings.downloads, settings.downloads_per_address
        ),
        throttle=throttle,
        uploads=UploadLimits(writing, settings.quota_machine_uploads, settings.quota_uploads),
        settings=settings,
        issuer=Issuer(settings) if settings.oidc_issuer else None,
    )
    app.state.renderer = renderer
    app.add_exception_handler(Problem, answer_problem)
    app.add_exception_handler(RequestValidationError, _answer_invalid)
    app.add_exception_handler(HTTPException, _answer_http)
    app.add_exception_handler(ClientDisconnect, _answer_disconnected)
    for error in database_errors.EXPECTED:
        app.add_exception_handler(error, _answer_database)
    app.router.routes.extend(route for router in _ROUTERS for route in router.routes)
    app.add_middleware(edge, settings=settings, routes=app.routes)
    app.add_middleware(Identified, slow_seconds=settings.slow_seconds)
    install_openapi(app, settings.public_url)
    return app


async def _warm(pool: Pool, renderer: PngRenderer) -> None:
    """Start the worker processes early, so that the first request doesn't wait for them."""
    await asyncio.gather(pool.warm(), renderer.warm())


def document_schema() -> str:
    """Generate docs/run.v1.schema.json from the model that reads documents."""
    _, definitions = msgspec.json.schema_components([RunDocument], ref_template="#/$defs/{name}")
    for struct, meanings in MEANINGS.items():
        for name, field in definitions[struct.__name__]["properties"].items():
            field["description"] = meanings[name]
    schema: Json = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **definitions.pop(RunDocument.__name__),
        "title": SCHEMA,
        "$defs": definitions,
    }
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


async def _answer_invalid(_request: Request, error: Exception) -> Response:
    """Answer an endpoint's refused parameter or body in the same shape as every other problem."""
    assert isinstance(error, RequestValidationError)
    fields = [
        FieldError(_pointer_of(fault), fault["type"], f"{message_of(fault)}.")
        for fault in error.errors()
    ]
    first = fields[0]
    return Problem(
        422,
        "invalid_request",
        "Invalid request",
        f"{first.pointer or 'The body'}: {first.detail}",
        fields[:20],
    ).response()


def _pointer_of(fault: Json) -> str:
    """Return a pointer into the body, `?name` of the query, `{name}` of the path, or a header."""
    source, *steps = fault["loc"]
    if source == "body":
        return pointer_of(() if fault["type"] == "json_invalid" else tuple(steps))
    name = str(steps[0]) if steps else ""
    return {"query": f"?{name}", "path": f"{{{name}}}"}.get(source, name)


async def _answer_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = {404: "not_found", 405: "method_not_allowed"}.get(error.status_code, "http")
    problem = Problem(error.status_code, code, str(error.detail), f"{error.detail}.")
    problem.headers.update(error.headers or {})
    if error.status_code == 405:
        # The router knows the methods of only one endpoint at an address; and the dashboard, which
        # matches every address, has none below /api.
        methods = methods_at(request.app.routes, request.scope["path"])
        if not methods:
            return not_found("address").response()
        problem.title = "Method not allowed"
        problem.detail = f"This address takes {', '.join(sorted(methods))}, not {request.method}."
        problem.headers |= allow(methods)
    return problem.response()


async def _answer_disconnected(_request: Request, _error: Exception) -> Response:
    """Answer a client that disconnected in the middle of its body; not a fault of ours."""
    return Problem(
        400,
        "cut_short",
        "Body cut short",
        "The connection ended before the whole body had arrived. Send it again.",
    ).response()


async def _answer_database(request: Request, error: Exception) -> Response:
    """Log an expected database error in one line; raise any other, which is a fault of ours."""
    problem = database_errors.problem_of(error, reading=request.method in ("GET", "HEAD"))
    if problem is None:
        raise error
    log_refusal(request.scope, problem, error)
    return problem.response()
