"""The log, on standard error: lines for people, or with LOG_FORMAT=json objects for programs."""

import json
import logging
import os
import sys
from datetime import UTC, datetime

from macmeter import Json

log = logging.getLogger("macmeter")


class TextFormatter(logging.Formatter):
    """Format a message, followed by its fields as `name=value`."""

    def format(self, record: logging.LogRecord) -> str:
        fields = " ".join(f"{name}={value}" for name, value in fields_of(record).items())
        return f"{super().format(record)} {fields}".rstrip()


class JsonFormatter(logging.Formatter):
    """Format as one JSON object per line: time, level, message, request id and fields."""

    def format(self, record: logging.LogRecord) -> str:
        from macmeter.platform.errors import request_id

        entry: Json = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
        }
        if (identity := request_id.get()) is not None:
            entry["request_id"] = identity
        entry |= fields_of(record)
        if record.exc_info:
            entry["traceback"] = self.formatException(record.exc_info)
        return json.dumps(entry, default=str, ensure_ascii=False)


def fields_of(record: logging.LogRecord) -> Json:
    """Return what was logged with `extra={"fields": …}`."""
    fields: Json = getattr(record, "fields", {})
    return fields


def is_json() -> bool:
    """Whether JSON is configured; works in worker processes, which have no Settings."""
    return os.environ.get("LOG_FORMAT", "").lower() == "json"


def configuration() -> Json:
    """Return the configuration for `logging.config`, including Granian's loggers."""
    formatter = {"()": JsonFormatter} if is_json() else {"()": TextFormatter, "fmt": "%(message)s"}
    generic = (
        {"()": JsonFormatter}
        if is_json()
        else {"()": TextFormatter, "fmt": "[%(levelname)s] %(message)s"}
    )
    handlers = {
        name: {"class": "logging.StreamHandler", "stream": "ext://sys.stderr", "formatter": name}
        for name in ("macmeter", "granian")
    }
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"macmeter": formatter, "granian": generic},
        "handlers": handlers,
        "loggers": {
            "macmeter": {"handlers": ["macmeter"], "level": "INFO", "propagate": False},
            "_granian": {"handlers": ["granian"], "level": "ERROR", "propagate": False},
            "granian.access": {"handlers": ["granian"], "level": "INFO", "propagate": False},
        },
    }


def print_log_line(message: str) -> None:
    """Log a message that belongs to no request."""
    if is_json():
        record = logging.LogRecord("macmeter", logging.INFO, "", 0, message, None, None)
        message = JsonFormatter().format(record)
    print(message, file=sys.stderr, flush=True)
